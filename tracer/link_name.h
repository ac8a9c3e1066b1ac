/*
 * The name of a link in a system directory in the place of what it leads to, which the next update may call otherwise:
 * libz.so.1, not libz.so.1.2.13 (trace-learn --portable).
 */
#pragma once

/*
 * `named` is how the program called the file that is `path` (canonical). If it, or a link that it leads to by way of
 * others (/usr/bin/cc, /etc/alternatives/cc, /usr/bin/gcc), has the name of a symbolic link in path's own directory
 * that leads to path, by nothing but other names of that directory, and the directory is one that only root can change,
 * so that trace-run follows the link: the link's name, canonical but for itself; the caller frees. Else NULL. Link and
 * target in one directory: then whatever is granted above the one is granted on the other.
 */
char *link_name(const char *named, const char *path);
