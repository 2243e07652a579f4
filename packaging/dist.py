"""meson dist: puts what is made with the help of npm into the tarball, in the place of the rules that make it."""
import os
import shutil
import subprocess
import sys

tree, build = os.environ["MESON_DIST_ROOT"], os.environ["MESON_BUILD_ROOT"]
made = {
    "web": ["web/label_assets.c", "web/grain_assets.c"],
    "tools/font0": ["tools/font0/font0_outlines.c"],
}
rules = {
    "web": "# The pages, as web/build.mjs has made them.\npage_assets = {'label': files('label_assets.c'), 'grain': files('grain_assets.c')}\n",
    "tools/font0": "# Font 0, as make_font0 has made it.\nfont0_source = files('font0_outlines.c')\n",
}
files = [name for names in made.values() for name in names]
done = subprocess.run(["ninja", "-C", build, *files], capture_output=True, text=True)
if done.returncode != 0:
    sys.exit(done.stdout + done.stderr)
for folder, names in made.items():
    for name in names:
        shutil.copy(os.path.join(build, name), os.path.join(tree, name))
    with open(os.path.join(tree, folder, "meson.build"), "w", encoding="utf-8") as file:
        file.write(rules[folder])
