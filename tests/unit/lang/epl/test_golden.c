// Golden scenes of EPL2.
#include "../golden.h"
#include "lang/epl/epl.h"

int main(void)
{
    return golden_main((struct golden){"tests/golden/epl", ".epl", pl_epl_interpret}, 8);
}
