// Golden scenes of TSPL.
#include "../golden.h"
#include "lang/tspl/tspl.h"

int main(void)
{
    return golden_main((struct golden){"tests/golden/tspl", ".tspl", pl_tspl_interpret}, 10);
}
