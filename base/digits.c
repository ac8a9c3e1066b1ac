#include "base/digits.h"

const char *digits_of(char digits[DIGITS_SIZE], long long number)
{
	unsigned long long rest = number < 0 ? 0ULL - (unsigned long long)number : (unsigned long long)number;
	char *at = &digits[DIGITS_SIZE - 1];

	*at = '\0';
	do
		*--at = (char)('0' + rest % 10);
	while (rest /= 10);
	if (number < 0)
		*--at = '-';
	return at;
}
