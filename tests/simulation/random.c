// Random numbers of the simulator: the same on every machine.
#include "sim.h"

uint64_t sim_mix(uint64_t a, uint64_t b)
{
    uint64_t x = a + b * 0x9E3779B97F4A7C15u;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return x ^ x >> 31;
}

struct sim_random sim_stream(uint64_t seed, uint64_t name)
{
    return (struct sim_random){sim_mix(sim_mix(seed, 1), name)};
}

uint64_t sim_next(struct sim_random *random)
{
    random->state += 0x9E3779B97F4A7C15u;
    return sim_mix(random->state, 0);
}

uint32_t sim_below(struct sim_random *random, uint32_t limit)
{
    return (uint32_t)((sim_next(random) >> 32) * limit >> 32);
}

uint64_t sim_range(struct sim_random *random, uint64_t least, uint64_t most)
{
    return least + sim_next(random) % (most - least + 1);
}

uint64_t sim_scale(struct sim_random *random, uint64_t least, uint64_t most)
{
    unsigned doublings = 0;
    while (least << (doublings + 1) <= most && doublings < 40)
        doublings++;
    uint64_t low = least << sim_below(random, doublings + 1);
    uint64_t high = low * 2 - 1 < most ? low * 2 - 1 : most;
    return sim_range(random, low, high > low ? high : low);
}

bool sim_chance(struct sim_random *random, uint32_t percent)
{
    return sim_below(random, 100) < percent;
}

bool sim_rare(struct sim_random *random, uint32_t per_million)
{
    return per_million > 0 && sim_below(random, 1000000) < per_million;
}
