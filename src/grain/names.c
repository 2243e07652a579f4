// Finding a culture by name: folding of case, accents, hyphens and spaces, and the nearest match for a misspelt one.
#include <stdlib.h>
#include <string.h>

#include "base/ckd.h"
#include "base/suggest.h"
#include "base/utf8.h"
#include "grain/grain.h"
#include "os/once.h"

#define NAME_MAX_FOLDED PL_EDIT_WORD_MAX

struct folded {
    char text[NAME_MAX_FOLDED];
    size_t len;
    bool whole; // false: the name is longer than any we know, or not UTF-8
};

// The ASCII letter under an accent; 0: none.
static char base_letter(uint32_t cp)
{
    static const struct {
        uint16_t first, last;
        char letter;
    } accents[] = {
        {0xC0, 0xC5, 'a'}, {0xC7, 0xC7, 'c'}, {0xC8, 0xCB, 'e'}, {0xCC, 0xCF, 'i'}, {0xD1, 0xD1, 'n'},
        {0xD2, 0xD6, 'o'}, {0xD9, 0xDC, 'u'}, {0xE0, 0xE5, 'a'}, {0xE7, 0xE7, 'c'}, {0xE8, 0xEB, 'e'},
        {0xEC, 0xEF, 'i'}, {0xF1, 0xF1, 'n'}, {0xF2, 0xF6, 'o'}, {0xF9, 0xFC, 'u'},
    };
    for (size_t i = 0; i < PL_COUNTOF(accents); i++) {
        if (cp >= accents[i].first && cp <= accents[i].last)
            return accents[i].letter;
    }
    return 0;
}

static bool is_ignored(uint32_t cp)
{
    bool space = cp == ' ' || cp == '\t' || cp == 0xA0 || (cp >= 0x2000 && cp <= 0x200B) || cp == 0x202F;
    bool mark = cp == '-' || cp == '_' || cp == ',' || cp == 0xAD || (cp >= 0x2010 && cp <= 0x2015) || cp == 0x2212;
    bool combining = cp >= 0x300 && cp <= 0x36F;
    return space || mark || combining;
}

static struct folded fold(struct pl_slice name)
{
    struct folded out = {.whole = true};
    for (size_t pos = 0; pos < name.len;) {
        uint32_t cp = pl_utf8_next(name, &pos);
        if (is_ignored(cp))
            continue;
        char letter;
        if (pl_is_upper(cp))
            letter = (char)(cp - 'A' + 'a');
        else if (cp < 0x80)
            letter = (char)cp;
        else
            letter = base_letter(cp);
        if (letter == 0 || out.len == NAME_MAX_FOLDED) {
            out.whole = false;
            // Keep what there is for the nearest match; a foreign letter counts as one that fits nowhere.
            if (out.len == NAME_MAX_FOLDED)
                return out;
            letter = '?';
        }
        out.text[out.len++] = letter;
    }
    return out;
}

// Every name of every culture, folded once.
#define NAMES_MAX 200

struct known_name {
    struct folded folded;
    const struct grain_culture *culture;
};

static struct {
    struct known_name names[NAMES_MAX];
    size_t count;
} known;
static struct pl_once known_once = PL_ONCE_INIT;

static void add_known(const struct grain_culture *culture, const char *name)
{
    if (known.count == NAMES_MAX)
        abort(); // NAMES_MAX is too small for the tables
    known.names[known.count++] = (struct known_name){fold(pl_slice_cstr(name)), culture};
}

static void fold_known_names(void)
{
    for (size_t i = 0; i < GRAIN_CULTURES; i++) {
        const struct grain_culture *culture = &grain_cultures()[i];
        add_known(culture, culture->id);
        for (int lang = 0; lang < GRAIN_LANGS; lang++)
            add_known(culture, culture->name.in[lang]);
        for (const char *const *alias = culture->aliases; *alias != NULL; alias++)
            add_known(culture, *alias);
    }
}

const struct grain_culture *grain_find(struct pl_slice name)
{
    const struct grain_culture *cultures = grain_cultures();
    for (size_t i = 0; i < GRAIN_CULTURES; i++) {
        if (pl_slice_eq_cstr(name, cultures[i].id))
            return &cultures[i];
    }
    struct folded wanted = fold(name);
    if (!wanted.whole || wanted.len == 0)
        return NULL;
    pl_once(&known_once, fold_known_names);
    for (size_t i = 0; i < known.count; i++) {
        const struct folded *have = &known.names[i].folded;
        if (have->len == wanted.len && memcmp(have->text, wanted.text, wanted.len) == 0)
            return known.names[i].culture;
    }
    return NULL;
}

// Names that people type and that are not a culture's own: what each is taken as. A name is given in its folded form.
static const struct {
    const char *name, *culture, *set;
} taken_names[] = {
    {"rice", "long-grain-rice", NULL},
    {"roughrice", "long-grain-rice", NULL},
    {"paddy", "long-grain-rice", NULL},
    {"paddyrice", "long-grain-rice", NULL},
    {"arroz", "long-grain-rice", NULL},
    {"arrozemcasca", "long-grain-rice", NULL},
    {"arrozcomcasca", "long-grain-rice", NULL},
    {"arrozconcascara", "long-grain-rice", NULL},
    {"arrozcascara", "long-grain-rice", NULL},
    {"arrozpaddy", "long-grain-rice", NULL},
    {"mediumgrainrice", "long-grain-rice", "henderson-medium-d245.5"},
    {"arrozdegraosmedios", "long-grain-rice", "henderson-medium-d245.5"},
    {"arrozdegraomedio", "long-grain-rice", "henderson-medium-d245.5"},
    {"arrozdegranomediano", "long-grain-rice", "henderson-medium-d245.5"},
    {"shortgrainrice", "long-grain-rice", "henderson-short-d245.5"},
    {"arrozdegraoscurtos", "long-grain-rice", "henderson-short-d245.5"},
    {"arrozdegraocurto", "long-grain-rice", "henderson-short-d245.5"},
    {"arrozdegranocorto", "long-grain-rice", "henderson-short-d245.5"},
    {"peanut", "in-shell-peanut", NULL},
    {"peanuts", "in-shell-peanut", NULL},
    {"groundnut", "in-shell-peanut", NULL},
    {"groundnuts", "in-shell-peanut", NULL},
    {"amendoim", "in-shell-peanut", NULL},
    {"mani", "in-shell-peanut", NULL},
    {"cacahuate", "in-shell-peanut", NULL},
    {"cacahuete", "in-shell-peanut", NULL},
    {"peanutkernel", "in-shell-peanut", "henderson-kernel-d245.4"},
    {"peanutkernels", "in-shell-peanut", "henderson-kernel-d245.4"},
    {"shelledpeanut", "in-shell-peanut", "henderson-kernel-d245.4"},
    {"shelledpeanuts", "in-shell-peanut", "henderson-kernel-d245.4"},
    {"amendoimsemcasca", "in-shell-peanut", "henderson-kernel-d245.4"},
    {"amendoimdescascado", "in-shell-peanut", "henderson-kernel-d245.4"},
    {"manisincascara", "in-shell-peanut", "henderson-kernel-d245.4"},
    {"manipelado", "in-shell-peanut", "henderson-kernel-d245.4"},
    {"amendoimemgrao", "in-shell-peanut", "henderson-kernel-d245.4"},
    {"durum", "wheat", "oswin-durum-d245.5"},
    {"durumwheat", "wheat", "oswin-durum-d245.5"},
    {"trigodurum", "wheat", "oswin-durum-d245.5"},
    {"trigocandeal", "wheat", "oswin-durum-d245.5"},
    {"candeal", "wheat", "oswin-durum-d245.5"},
    {"softwheat", "wheat", "henderson-soft-d245.4"},
    {"softredwinterwheat", "wheat", "henderson-soft-d245.4"},
    {"softredwinter", "wheat", "henderson-soft-d245.4"},
    {"softwhitewheat", "wheat", "henderson-soft-d245.4"},
    {"whitewheat", "wheat", "henderson-soft-d245.4"},
    {"trigomole", "wheat", "henderson-soft-d245.4"},
    {"trigobrando", "wheat", "henderson-soft-d245.4"},
    {"trigoblando", "wheat", "henderson-soft-d245.4"},
    {"hardwheat", "wheat", NULL},
    {"hardredwheat", "wheat", NULL},
    {"hardredwinterwheat", "wheat", NULL},
    {"hardredwinter", "wheat", NULL},
    {"hardredspringwheat", "wheat", NULL},
    {"hardredspring", "wheat", NULL},
    {"winterwheat", "wheat", NULL},
    {"springwheat", "wheat", NULL},
    {"maltingbarley", "barley", NULL},
    {"feedbarley", "barley", NULL},
    {"cevadacervejeira", "barley", NULL},
    {"cevadaforrageira", "barley", NULL},
    {"cebadaforrajera", "barley", NULL},
    {"aveiabranca", "oats", NULL},
    {"aveiapreta", "oats", NULL},
    {"avenablanca", "oats", NULL},
    {"avenanegra", "oats", NULL},
    {"yellowcorn", "corn", NULL},
    {"milhoamarelo", "corn", NULL},
    {"maizamarillo", "corn", NULL},
    {"rapeseeds", "canola", NULL},
    {"sunflowers", "sunflower", NULL},
    {"feijaocarioca", "dry-beans", NULL},
    {"kidneybeans", "dry-beans", NULL},
    {"blackbeans", "dry-beans", "halsey-black-d245.5"},
    {"feijaopreto", "dry-beans", "halsey-black-d245.5"},
    {"frijolnegro", "dry-beans", "halsey-black-d245.5"},
    {"porotonegro", "dry-beans", "halsey-black-d245.5"},
    {"whitebeans", "dry-beans", "halsey-white-d245.5"},
    {"navybeans", "dry-beans", "halsey-white-d245.5"},
    {"feijaobranco", "dry-beans", "halsey-white-d245.5"},
    {"frijolblanco", "dry-beans", "halsey-white-d245.5"},
    {"pintobeans", "dry-beans", "halsey-pinto-d245.5"},
    {"frijolpinto", "dry-beans", "halsey-pinto-d245.5"},
};

static bool folded_is(const struct folded *name, const char *text)
{
    return name->whole && name->len == strlen(text) && memcmp(name->text, text, name->len) == 0;
}

bool grain_find_meaning(struct pl_slice name, struct grain_meaning *meaning)
{
    *meaning = (struct grain_meaning){.culture = grain_find(name)};
    if (meaning->culture != NULL)
        return true;
    struct folded wanted = fold(name);
    for (size_t i = 0; i < PL_COUNTOF(taken_names); i++) {
        if (!folded_is(&wanted, taken_names[i].name))
            continue;
        meaning->culture = grain_find(pl_slice_cstr(taken_names[i].culture));
        meaning->taken = true;
        if (taken_names[i].set != NULL)
            meaning->set = grain_set_by_id(meaning->culture, pl_slice_cstr(taken_names[i].set));
        return true;
    }
    return false;
}

const struct grain_text *grain_no_constants(struct pl_slice name)
{
    // Cowpeas are beans by name only. Behind triticale: names that hold the name of a culture and are something else:
    // another plant, or what a mill makes of it.
    static const char crops[] =
        "pea|peas|fababeans|broadbeans|favas|habas|cowpea|cowpeas|feijaocaupi|feijaodecorda|feijaofradinho|"
        "feijaomacassar|caupi|ervilha|arveja|chickpea|chickpeas|graodebico|garbanzo|millet|milheto|mijo|coffee|cafe|"
        "cocoa|cacau|cacao|cotton|cottonseed|algodao|algodon|triticale|whiterice|brownrice|milledrice|polishedrice|"
        "arrozbranco|arrozintegral|arrozpolido|arrozbeneficiado|arrozblanco|arrozpulido|arrozelaborado|soybeanmeal|"
        "soymeal|farelodesoja|harinadesoja|cornmeal|fuba|farinhadetrigo|harinadetrigo|wheatflour|wheatbran|"
        "farelodetrigo";
    static const struct grain_text none = {
        {"There are no constants for it here, and no other culture can stand in for it.",
         "Não há constantes para essa cultura aqui, e nenhuma outra pode substituí-la.",
         "No hay constantes para ese cultivo aquí, y ningún otro puede reemplazarlo."}};
    static const struct grain_text two = {
        {"It can mean durum wheat or bread wheat with a hard grain: write 'durum' or 'wheat'.",
         "Pode ser trigo durum ou trigo comum de grão duro: escreva 'durum' ou 'trigo'.",
         "Puede ser trigo durum (candeal) o trigo pan de grano duro: escriba 'durum' o 'trigo'."}};
    struct folded wanted = fold(name);
    if (folded_is(&wanted, "trigoduro"))
        return &two;
    return wanted.whole && pl_slice_is_one_of(pl_slice_make(wanted.text, wanted.len), crops) ? &none : NULL;
}

// Words that names share and that name no culture.
static bool is_common(const struct folded *word)
{
    static const char *const common[] = {"grain",    "grains",   "grao",   "graos",   "seed",    "seeds",
                                         "semente",  "sementes", "shell",  "casca",   "inshell", "emcasca",
                                         "comcasca", "grano",    "granos", "semilla", "cascara", "concascara"};
    for (size_t i = 0; i < PL_COUNTOF(common); i++) {
        if (word->len == strlen(common[i]) && memcmp(word->text, common[i], word->len) == 0)
            return true;
    }
    return false;
}

static bool contains(const struct folded *whole, const struct folded *part)
{
    return !is_common(part) && part->len >= 4 && part->len <= whole->len &&
           memmem(whole->text, whole->len, part->text, part->len) != NULL;
}

static struct pl_slice text_of(const struct folded *name)
{
    return pl_slice_make(name->text, name->len);
}

// How far an unknown name is from a known one; SIZE_MAX: too far to be a slip.
static size_t distance_to(const struct folded *have, const struct folded *wanted)
{
    // One name inside the other ("rice") is nearer than another word with two letters changed ("rye").
    if (contains(have, wanted) || contains(wanted, have))
        return 1;
    // More than a third of the letters wrong is another word, not a slip.
    size_t limit = have->len / 3;
    if (have->len > wanted->len + limit || wanted->len > have->len + limit)
        return SIZE_MAX;
    size_t distance = pl_edit_distance(text_of(have), text_of(wanted), true);
    return distance <= limit ? distance : SIZE_MAX;
}

const struct grain_culture *grain_nearest(struct pl_slice name)
{
    struct folded wanted = fold(name);
    const struct grain_culture *best = NULL;
    size_t best_distance = SIZE_MAX;
    pl_once(&known_once, fold_known_names);
    for (size_t i = 0; i < known.count && wanted.len > 0; i++) {
        size_t distance = distance_to(&known.names[i].folded, &wanted);
        if (distance < best_distance) {
            best_distance = distance;
            best = known.names[i].culture;
        }
    }
    for (size_t i = 0; i < PL_COUNTOF(taken_names) && wanted.len > 0; i++) {
        struct folded have = fold(pl_slice_cstr(taken_names[i].name));
        size_t distance = distance_to(&have, &wanted);
        if (distance < best_distance) {
            best_distance = distance;
            best = grain_find(pl_slice_cstr(taken_names[i].culture));
        }
    }
    return best;
}
