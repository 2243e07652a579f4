// Defects that can be switched on in the build that tests/simulation uses, to show that they would be found. The
// services are built without them.
#ifndef HTTP_MUTATION_H
#define HTTP_MUTATION_H

#ifdef HTTP_MUTATIONS
extern int http_mutation;
#define HTTP_MUTATION(n) (http_mutation == (n))
#else
#define HTTP_MUTATION(n) 0
#endif

#endif
