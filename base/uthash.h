/* uthash, which ends the program as memory.h does when there is none left; by itself it would say nothing. */
#pragma once

#include "base/memory.h"

#define uthash_fatal(message) out_of_memory()
#include <uthash.h>
