"""meson dist: puts what is made with the help of npm into the tarball, in the place of the rules that make it."""
import os
import re
import shutil
import subprocess
import sys

tree, build = os.environ["MESON_DIST_ROOT"], os.environ["MESON_BUILD_ROOT"]
made = {
    "web": ["web/label_assets.c", "web/grain_assets.c"],
    "tools/font0": ["tools/font0/font0_outlines.c"],
}
rules = {
    "web": """# The pages, as web/build.mjs has made them. The assembler takes their bytes from files beside this one.
page_assets = {}
foreach app : ['label', 'grain']
  page_assets += {app: configure_file(input: app + '_assets.c.in', output: app + '_assets.c',
    configuration: {'FOLDER': meson.current_source_dir()})}
endforeach
""",
    "tools/font0": "# Font 0, as make_font0 has made it.\nfont0_source = files('font0_outlines.c')\n",
}
with open(os.path.join(tree, "COMMIT"), "w", encoding="utf-8") as file:
    file.write(subprocess.check_output(["git", "-C", os.environ["MESON_SOURCE_ROOT"], "rev-parse", "--short=12", "HEAD"], text=True))
files = [name for names in made.values() for name in names]
done = subprocess.run(["ninja", "-C", build, *files], capture_output=True, text=True)
if done.returncode != 0:
    sys.exit(done.stdout + done.stderr)


def take(name):
    """Copies a file, and those whose bytes it includes by their paths in the build folder."""
    with open(os.path.join(build, name), encoding="utf-8") as file:
        text = file.read()
    folder = os.path.join(build, os.path.dirname(name))
    included = re.findall(re.escape(folder) + r"/([^\"\\]+)", text)
    if not included:
        shutil.copy(os.path.join(build, name), os.path.join(tree, name))
        return
    for each in included:
        shutil.copy(os.path.join(folder, each), os.path.join(tree, os.path.dirname(name), each))
    with open(os.path.join(tree, name + ".in"), "w", encoding="utf-8") as file:
        file.write(text.replace(folder + "/", "@FOLDER@/"))


for folder, names in made.items():
    for name in names:
        take(name)
    with open(os.path.join(tree, folder, "meson.build"), "w", encoding="utf-8") as file:
        file.write(rules[folder])
