// The script of the drawing worker: the package's, bundled for the page.
import "../../../../packages/platen/src/worker";
