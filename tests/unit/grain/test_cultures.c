// The table of cultures: whole, unambiguous, and found by every name a person may type.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ckd.h"
#include "grain/grain.h"
#include "unit.h"

static const char *found(const char *name)
{
    const struct grain_culture *culture = grain_find(pl_slice_cstr(name));
    return culture == NULL ? "(none)" : culture->id;
}

static const char *nearest(const char *name)
{
    const struct grain_culture *culture = grain_nearest(pl_slice_cstr(name));
    return culture == NULL ? "(none)" : culture->id;
}

static void names_are_found_without_regard_to_case_accents_hyphens_and_spaces(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        {"corn", "corn"},
        {"CORN", "corn"},
        {" Milho ", "corn"},
        {"ear corn", "ear-corn"},
        {"EarCorn", "ear-corn"},
        {"milho em espiga", "ear-corn"},
        {"milho-em-espiga", "ear-corn"},
        {"milho pipoca", "popcorn"},
        {"soja", "soybean"},
        {"Soybean", "soybean"},
        {"sorgo", "sorghum"},
        {"trigo", "wheat"},
        {"cevada", "barley"},
        {"aveia", "oats"},
        {"centeio", "rye"},
        {"canola", "canola"},
        {"girassol", "sunflower"},
        {"arroz de grãos longos", "long-grain-rice"},
        {"ARROZ DE GRÃOS LONGOS", "long-grain-rice"},
        {"arroz de graos longos", "long-grain-rice"},
        {"arroz de gra\xCC\x83os longos", "long-grain-rice"}, // a with a combining tilde
        {"Long Grain Rice", "long-grain-rice"},
        {"long\xE2\x80\x91grain rice", "long-grain-rice"}, // non-breaking hyphen
        {"long\xC2\xA0grain\xC2\xA0rice", "long-grain-rice"},
        {"amendoim em casca", "in-shell-peanut"},
        {"in shell peanut", "in-shell-peanut"},
        {"maize", "corn"},
    };
    for (size_t i = 0; i < PL_COUNTOF(pairs); i++)
        assert_string_equal(found(pairs[i][0]), pairs[i][1]);
}

static void every_name_finds_its_own_culture(void **state)
{
    (void)state;
    for (size_t i = 0; i < GRAIN_CULTURES; i++) {
        const struct grain_culture *culture = &grain_cultures()[i];
        assert_string_equal(found(culture->id), culture->id);
        for (int lang = 0; lang < GRAIN_LANGS; lang++)
            assert_string_equal(found(culture->name.in[lang]), culture->id);
        for (const char *const *alias = culture->aliases; *alias != NULL; alias++)
            assert_string_equal(found(*alias), culture->id);
    }
}

// "set" or "culture": what the name is taken as; "" when the name is the culture's own.
static const char *taken(const char *name)
{
    struct grain_meaning meaning;
    if (!grain_find_meaning(pl_slice_cstr(name), &meaning))
        return "(none)";
    return !meaning.taken ? "" : meaning.set != NULL ? meaning.set->id : meaning.culture->id;
}

static void names_that_people_type_are_taken_as_the_nearest_meaning(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"arroz", "long-grain-rice"},
        {"Arroz em casca", "long-grain-rice"},
        {"rice", "long-grain-rice"},
        {"arroz con cáscara", "long-grain-rice"},
        {"peanut", "in-shell-peanut"},
        {"Amendoim", "in-shell-peanut"},
        {"maní", "in-shell-peanut"},
        {"durum", "oswin-durum-d245.5"},
        {"trigo candeal", "oswin-durum-d245.5"},
        {"soft wheat", "henderson-soft-d245.4"},
        {"trigo mole", "henderson-soft-d245.4"},
        {"medium-grain rice", "henderson-medium-d245.5"},
        {"arroz de grãos curtos", "henderson-short-d245.5"},
        {"amendoim descascado", "henderson-kernel-d245.4"},
        {"corn", ""},
        {"maíz", ""},
        {"girasol", ""},
        {"feijão", ""},
        {"feijão preto", "halsey-black-d245.5"},
        {"navy beans", "halsey-white-d245.5"},
        {"feijão carioca", "dry-beans"},
        {"feijão-caupi", "(none)"},
        {"café", "(none)"},
        {"trigo duro", "(none)"},
        {"", "(none)"},
    };
    for (size_t i = 0; i < PL_COUNTOF(rows); i++)
        assert_string_equal(taken(rows[i][0]), rows[i][1]);
}

static void crops_without_constants_get_a_clear_no(void **state)
{
    (void)state;
    static const char *const crops[] = {"feijão de corda", "Peas", "café", "COFFEE", "grão-de-bico", "trigo duro"};
    for (size_t i = 0; i < PL_COUNTOF(crops); i++)
        assert_non_null(grain_no_constants(pl_slice_cstr(crops[i])));
    assert_null(grain_no_constants(pl_slice_cstr("cron")));
    assert_null(grain_no_constants(pl_slice_cstr("")));
    assert_null(grain_no_constants(pl_slice_make("peas\0", 5)));
}

static void what_is_no_name_is_not_found(void **state)
{
    (void)state;
    static const char *const names[] = {
        "",        " ",     "-",
        "quinoa",  "corn!", "cor",
        "c\xFFrn", "coґn",  "a name that is very much longer than any name of any culture that there is"};
    for (size_t i = 0; i < PL_COUNTOF(names); i++)
        assert_string_equal(found(names[i]), "(none)");
    assert_null(grain_find(pl_slice_make("corn\0", 5)));
}

static void misspelt_names_have_a_nearest_match(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        {"cron", "corn"},
        {"mihlo", "corn"},
        {"wheet", "wheat"},
        {"soyben", "soybean"},
        {"rice", "long-grain-rice"},
        {"peanut", "in-shell-peanut"},
        {"arroz", "long-grain-rice"},
        {"trgo", "wheat"},
        {"sorgum", "sorghum"},
        {"girasol", "sunflower"},
        {"quinoa", "(none)"},
        {"", "(none)"},
        {"xyz", "(none)"},
    };
    for (size_t i = 0; i < PL_COUNTOF(pairs); i++)
        assert_string_equal(nearest(pairs[i][0]), pairs[i][1]);
}

static void sets_have_unique_ids_and_whole_descriptions(void **state)
{
    (void)state;
    size_t sets = 0;
    for (size_t i = 0; i < GRAIN_CULTURES; i++) {
        const struct grain_culture *culture = &grain_cultures()[i];
        assert_in_range(culture->set_count, 1, GRAIN_SETS_MAX);
        for (size_t k = 0; k < culture->set_count; k++) {
            const struct grain_set *set = &culture->sets[k];
            assert_ptr_equal(grain_set_by_id(culture, pl_slice_cstr(set->id)), set);
            assert_non_null(set->sources[0]);
            assert_true(set->standard[0] != '\0');
            for (int lang = 1; lang < GRAIN_LANGS; lang++)
                assert_true((set->variant.in[GRAIN_EN][0] == '\0') == (set->variant.in[lang][0] == '\0'));
            assert_true(set->kind == NULL || set->variant.in[GRAIN_EN][0] != '\0');
            sets++;
        }
    }
    // The 39 of the collected constants, durum wheat's, two of soft wheat, two of rice, that of peanut kernels, four of
    // beans, and those of lentils, flaxseed and buckwheat.
    assert_int_equal(sets, 52);
}

// Splits one line of CSV in place; quotes are taken off, none are doubled in that file.
static size_t split_csv(char *line, char *fields[], size_t max)
{
    size_t count = 0;
    for (char *at = line; count < max;) {
        bool quoted = *at == '"';
        at += quoted;
        fields[count++] = at;
        char *end = at + strcspn(at, quoted ? "\"" : ",\r\n");
        char *next = quoted && *end != '\0' ? end + 1 : end;
        bool more = *next == ',';
        *end = '\0';
        if (!more)
            break;
        at = next + 1;
    }
    return count;
}

static void every_collected_set_is_there_with_its_figures_and_confidence(void **state)
{
    (void)state;
    const char *shared = getenv("PLATEN_SHARED");
    char path[512], line[600];
    snprintf(path, sizeof path, "%s/grain/constants.csv", shared != NULL ? shared : "../shared");
    FILE *in = fopen(path, "r");
    if (in == NULL) {
        print_message("skipped: %s is not there\n", path);
        skip();
    }
    assert_non_null(fgets(line, sizeof line, in));
    size_t rows = 0;
    while (fgets(line, sizeof line, in) != NULL) {
        char *field[11];
        assert_int_equal(split_csv(line, field, 11), 11);
        const struct grain_culture *culture = grain_find(pl_slice_cstr(field[0]));
        assert_non_null(culture);
        size_t matches = 0;
        for (size_t k = 0; k < culture->set_count; k++) {
            const struct grain_set *set = &culture->sets[k];
            if (strcmp(grain_equation_info(set->equation)->id, field[2]) != 0 || set->a != strtod(field[3], NULL) ||
                set->b != strtod(field[4], NULL) || set->c != strtod(field[5], NULL))
                continue;
            matches++;
            assert_string_equal(grain_confidence_id(set->confidence), field[9]);
        }
        assert_int_equal(matches, 1);
        rows++;
    }
    fclose(in);
    assert_int_equal(rows, 39);
}

static void a_model_means_the_surest_set_of_its_equation(void **state)
{
    (void)state;
    for (size_t i = 0; i < GRAIN_CULTURES; i++) {
        const struct grain_culture *culture = &grain_cultures()[i];
        for (int e = 0; e < GRAIN_EQUATIONS; e++) {
            const struct grain_set *chosen = grain_set_by_equation(culture, (enum grain_equation)e);
            for (size_t k = 0; k < culture->set_count; k++) {
                const struct grain_set *set = &culture->sets[k];
                if (set->equation != (enum grain_equation)e || set->kind != NULL)
                    continue;
                assert_non_null(chosen);
                assert_true(chosen == &culture->sets[0] || chosen->confidence <= set->confidence);
            }
        }
    }
}

static void equations_are_found_by_their_ids(void **state)
{
    (void)state;
    enum grain_equation equation;
    assert_true(grain_equation_by_id(pl_slice_cstr("modified-halsey"), &equation));
    assert_int_equal(equation, GRAIN_HALSEY);
    assert_false(grain_equation_by_id(pl_slice_cstr("halsey"), &equation));
    assert_false(grain_equation_by_id(pl_slice_cstr(""), &equation));
}

// Names that were refused, or led to a wrong suggestion.
static void names_that_farmers_use_are_known(void **state)
{
    (void)state;
    static const struct {
        const char *name, *culture, *kind;
    } rows[] = {
        {"soy", "soybean", NULL},
        {"soja em grãos", "soybean", NULL},
        {"aveia branca", "oats", NULL},
        {"hard red winter wheat", "wheat", NULL},
        {"cevada cervejeira", "barley", NULL},
        {"soft red winter wheat", "wheat", "soft"},
        {"maíz reventón", "popcorn", NULL},
    };
    for (size_t i = 0; i < PL_COUNTOF(rows); i++) {
        struct grain_meaning meaning;
        if (!grain_find_meaning(pl_slice_cstr(rows[i].name), &meaning) ||
            strcmp(meaning.culture->id, rows[i].culture) != 0)
            fail_msg("%s", rows[i].name);
        assert_true(grain_same_kind(meaning.set != NULL ? meaning.set->kind : NULL, rows[i].kind));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_that_farmers_use_are_known),
        cmocka_unit_test(names_are_found_without_regard_to_case_accents_hyphens_and_spaces),
        cmocka_unit_test(every_name_finds_its_own_culture),
        cmocka_unit_test(names_that_people_type_are_taken_as_the_nearest_meaning),
        cmocka_unit_test(crops_without_constants_get_a_clear_no),
        cmocka_unit_test(what_is_no_name_is_not_found),
        cmocka_unit_test(misspelt_names_have_a_nearest_match),
        cmocka_unit_test(sets_have_unique_ids_and_whole_descriptions),
        cmocka_unit_test(every_collected_set_is_there_with_its_figures_and_confidence),
        cmocka_unit_test(a_model_means_the_surest_set_of_its_equation),
        cmocka_unit_test(equations_are_found_by_their_ids),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
