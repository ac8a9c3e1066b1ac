/* The order in which a directory stands directly before all that lies beneath it: bytes, with the slash lowest. */
#pragma once

static inline int path_order_rank(char byte)
{
	return byte == '/' ? 1 : byte ? (unsigned char)byte + 1 : 0;
}

static inline int path_order(const char *a, const char *b)
{
	while (*a && *a == *b) {
		a++;
		b++;
	}
	return path_order_rank(*a) - path_order_rank(*b);
}
