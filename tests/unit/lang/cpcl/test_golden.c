// Golden scenes of CPCL.
#include "../golden.h"
#include "lang/cpcl/cpcl.h"

int main(void)
{
    return golden_main((struct golden){"tests/golden/cpcl", ".cpcl", pl_cpcl_interpret}, 8);
}
