// SPDX-License-Identifier: Apache-2.0
// What MPI keeps from its start until the process ends is no leak of the tests. Leaks are sought before MPI ends, where
// the names of its parts are still known: its thread keeps some memory too (lsan.supp).
#ifndef LIMBER_TESTS_CHECK_LEAKS_H
#define LIMBER_TESTS_CHECK_LEAKS_H

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#else
#define __lsan_disable()
#define __lsan_enable()
#define __lsan_do_leak_check()
#endif

#endif
