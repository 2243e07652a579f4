// Golden scenes of ZPL.
#include "../golden.h"
#include "lang/zpl/zpl.h"

int main(void)
{
    return golden_main((struct golden){"tests/golden/scene", ".zpl", pl_zpl_interpret}, 100);
}
