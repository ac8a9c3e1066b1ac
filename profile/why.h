/*
 * Why a line is in a profile, or what was done with a path: the accesses of audit logs that a question concerns, and by
 * which rule (docs/internals/profile.md) each made what is asked about. Pure.
 */
#pragma once

#include <stdio.h>

#include "profile/allowed.h"
#include "profile/evidence.h"
#include "profile/question.h"

/* How an access concerns the question. */
enum why_relation {
	WHY_NEEDS,   /* it takes what is asked about: its needs say by which rule */
	WHY_MOVES,   /* it moved something to where more was granted, which its old place then has to have too */
	WHY_BENEATH, /* what it takes lies beneath the line, which is wider: collapsed, or written so */
	WHY_USED,    /* of a path: it was used, and nothing of what is asked about was needed on it */
};

struct why_item {
	const struct evidence_session *session;
	const struct evidence_access *access;
	enum why_relation relation;
	const struct needs *needs; /* of the access, borrowed */
};

struct why {
	struct why_item *items; /* in the order of the logs */
	size_t count, capacity;
	size_t beneath;	      /* of a path: accesses of what lies beneath it, which are not among the items */
	rights_t unexplained; /* of a line: what no access of the logs took */
};

/* The evidence keeps what the answer points to. */
void why_find(struct evidence *evidence, const struct tiers *tiers, const struct question *question, struct why *why);
void why_finish(struct why *why);
#define scoped_why __attribute__((cleanup(why_finish))) struct why

const char *why_relation_name(enum why_relation relation); /* "needs", "moves", "beneath", "used" */

/* Whether a need is about what is asked. */
bool why_matches(const struct question *question, const struct need *need);

/* The accesses for people, each line behind `indent`; no more than `most` of them, then how many are left. */
void why_print(const struct why *why, const struct question *question, const char *indent, size_t most, FILE *out,
	       bool colour);
/* An array of them, in the form of docs/trace-profile-why.schema.json. */
struct json *why_json(const struct why *why);
