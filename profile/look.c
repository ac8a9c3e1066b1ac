#include "profile/look.h"

#include <stdlib.h>

#include "base/memory.h"
#include "profile/fact.h"

int look_init(struct look *look, struct error *err)
{
	variables_of_process(&look->variables);
	free(look->variables.tty);
	look->variables.tty = duplicate(TERMINAL_PLACEHOLDER);
	return tiers_load(NULL, &look->variables, &look->tiers, err);
}

void look_finish(struct look *look)
{
	variables_finish(&look->variables);
	tiers_destroy(look->tiers);
	look->tiers = NULL;
}
