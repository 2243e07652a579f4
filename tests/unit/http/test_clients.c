// What each client has of connections and memory, compared with a list that is searched from its start.
#include <stdlib.h>
#include <string.h>

#include "http/server/server.h"
#include "unit.h"

#define CONNECTIONS 64u
#define MOST 3u

static uint64_t next_random(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return *seed >> 33;
}

// Every key is found, with its count, and the table holds nothing else.
static void compare(struct http_clients *clients, const uint64_t *keys, const uint32_t *counts, size_t count)
{
    size_t open = 0, held = 0;
    for (size_t i = 0; i < clients->place_count; i++)
        held += clients->places[i].connections;
    for (size_t i = 0; i < count; i++)
        open += counts[i];
    assert_int_equal(held, open);
    for (size_t i = 0; i < count; i++) {
        size_t found = 0;
        for (size_t k = 0; k < clients->place_count; k++)
            found += clients->places[k].key == keys[i];
        assert_int_equal(found, counts[i] > 0);
    }
}

static void as_a_list_would(void **state)
{
    (void)state;
    struct http_clients clients;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        // Few own places, so that keys crowd and wrap around the table's end.
        uint64_t keys[48], random = seed;
        uint32_t counts[48] = {0};
        size_t distinct = 3 + seed % 46, open = 0;
        for (size_t i = 0; i < distinct; i++)
            keys[i] = (uint64_t)(i + 1) << 32 | (4 * CONNECTIONS - 1 - next_random(&random) % (1 + seed % 7));
        assert_int_equal(http_clients_init(&clients, CONNECTIONS, MOST, 0, NULL), PL_OK);
        assert_int_equal(clients.place_count, 4 * CONNECTIONS);
        for (int step = 0; step < 4000; step++) {
            size_t i = next_random(&random) % distinct;
            // Times in which more come, and times in which more go.
            bool come = next_random(&random) % 100 < (step / 500 % 2 ? 30u : 70u);
            if (come && open < CONNECTIONS) {
                bool granted = counts[i] < MOST;
                assert_int_equal(http_clients_take(&clients, keys[i]), granted);
                counts[i] += granted;
                open += granted;
            } else if (!come && counts[i] > 0) {
                http_clients_give(&clients, keys[i]);
                counts[i]--;
                open--;
            }
            if (step % 50 == 0)
                compare(&clients, keys, counts, distinct);
        }
        for (size_t i = 0; i < distinct; i++) {
            for (; counts[i] > 0; counts[i]--)
                http_clients_give(&clients, keys[i]);
            compare(&clients, keys, counts, distinct);
        }
        http_clients_fini(&clients);
    }
}

static void a_full_table_refuses(void **state)
{
    (void)state;
    struct http_clients clients;
    assert_int_equal(http_clients_init(&clients, 1, 1, 0, NULL), PL_OK);
    assert_int_equal(clients.place_count, 4);
    assert_true(http_clients_take(&clients, 5));
    assert_false(http_clients_take(&clients, 5));
    for (uint64_t key = 6; key < 9; key++)
        assert_true(http_clients_take(&clients, key));
    assert_false(http_clients_take(&clients, 9)); // and neither of them searches for ever
    http_clients_give(&clients, 9);
    http_clients_give(&clients, 5);
    assert_true(http_clients_take(&clients, 9));
    assert_false(http_clients_take(&clients, 7));
    http_clients_fini(&clients);
}

static void memory_is_counted_beside_connections(void **state)
{
    (void)state;
    struct http_clients clients;
    assert_int_equal(http_clients_init(&clients, 4, 2, 1000, NULL), PL_OK);
    assert_true(http_clients_take(&clients, 5));
    assert_true(http_clients_take_bytes(&clients, 5, 600));
    assert_false(http_clients_take_bytes(&clients, 5, 401));
    assert_true(http_clients_take_bytes(&clients, 5, 400));
    assert_true(http_clients_take_bytes(&clients, 9, 1000)); // another client, which has no connection any more
    assert_false(http_clients_take_bytes(&clients, 7, SIZE_MAX));
    http_clients_give(&clients, 5);
    assert_false(http_clients_take_bytes(&clients, 5, 1)); // what it holds outlives its connection
    http_clients_give_bytes(&clients, 5, 1000);
    assert_true(http_clients_take_bytes(&clients, 5, 1000));
    http_clients_give_bytes(&clients, 5, 1000);
    http_clients_give_bytes(&clients, 9, 1000);
    for (size_t i = 0; i < clients.place_count; i++)
        assert_int_equal(clients.places[i].key, 0);
    assert_true(http_clients_take_bytes(&clients, 0, SIZE_MAX)); // nobody's
    http_clients_fini(&clients);
}

static void without_a_limit(void **state)
{
    (void)state;
    struct http_clients clients;
    assert_int_equal(http_clients_init(&clients, 4, 0, 0, NULL), PL_OK);
    for (int i = 0; i < 1000; i++)
        assert_true(http_clients_take(&clients, 1));
    http_clients_give(&clients, 1);
    http_clients_fini(&clients);
}

static void keys_of_clients(void **state)
{
    (void)state;
    struct http_server *s = calloc(1, sizeof(*s));
    assert_non_null(s);
    s->id_seed = 12345;
    struct sockaddr_storage peer[6] = {{0}};
    for (size_t i = 0; i < 6; i++)
        peer[i].ss_family = i < 2 ? AF_INET : AF_INET6;
    ((struct sockaddr_in *)&peer[0])->sin_addr.s_addr = htonl(0x0A000001);
    ((struct sockaddr_in *)&peer[1])->sin_addr.s_addr = htonl(0x0A000002);
    // Two of one /64, one of another, and an IPv4 client in the form of IPv6.
    static const uint8_t six[4][16] = {{0x20, 1, 0xd, 0xb8, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1},
                                       {0x20, 1, 0xd, 0xb8, 0, 0, 0, 1, 9, 9, 9, 9, 9, 9, 9, 9},
                                       {0x20, 1, 0xd, 0xb8, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 1},
                                       {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 10, 0, 0, 2}};
    for (size_t i = 0; i < 4; i++)
        memcpy(&((struct sockaddr_in6 *)&peer[2 + i])->sin6_addr, six[i], 16);
    uint64_t keys[6];
    for (size_t i = 0; i < 6; i++) {
        keys[i] = http_client_key(s, &peer[i]);
        assert_int_not_equal(keys[i], 0);
        assert_int_equal(keys[i], http_client_key(s, &peer[i]));
    }
    assert_int_equal(keys[2], keys[3]);
    assert_int_equal(keys[1], keys[5]);
    for (size_t i = 0; i < 6; i++) {
        for (size_t k = 0; k < i; k++)
            assert_true(keys[i] != keys[k] || (k == 2 && i == 3) || (k == 1 && i == 5));
    }
    free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_a_list_would), cmocka_unit_test(a_full_table_refuses),
                                       cmocka_unit_test(memory_is_counted_beside_connections),
                                       cmocka_unit_test(without_a_limit), cmocka_unit_test(keys_of_clients)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
