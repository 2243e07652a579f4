// Is this a build with sanitizers? They need files, signals and much address space of their own.
#ifndef PL_PROCESS_SANITIZED_H
#define PL_PROCESS_SANITIZED_H

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define PL_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define PL_SANITIZED 1
#endif
#endif
#ifndef PL_SANITIZED
#define PL_SANITIZED 0
#endif

#endif
