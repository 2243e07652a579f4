// The thirteen cultures and every known set of constants, with where each set comes from and how sure it is.
#include "base/ckd.h"
#include "grain/grain.h"

static const struct grain_text calculator = {
    {"a public grain calculator (TypeScript)", "uma calculadora de grãos pública (TypeScript)"}};
static const struct grain_text monitor = {{"a public bin monitor (TypeScript) that names ASAE D245.5",
                                           "um monitor de silos público (TypeScript) que cita a ASAE D245.5"}};
static const struct grain_text cable = {{"a public grain cable (Arduino) that names ASAE D245.5",
                                         "um cabo de termometria público (Arduino) que cita a ASAE D245.5"}};
static const struct grain_text arduino = {
    {"public Arduino code, Brazilian E/F form", "código Arduino público, forma brasileira E/F"}};
static const struct grain_text firmware = {
    {"firmware of a public sensor, Brazilian E/F form", "firmware de um sensor público, forma brasileira E/F"}};
static const struct grain_text book = {
    {"public code that names Storage of Cereal Grains and Their Products, 5th ed., p. 272",
     "código público que cita Storage of Cereal Grains and Their Products, 5ª ed., p. 272"}};
static const struct grain_text asae_code = {
    {"public code that names ASAE D245", "código público que cita a ASAE D245"}};
static const struct grain_text zhong = {{"public code that names ASABE D245.6 by way of Zhong 2015",
                                         "código público que cita a ASABE D245.6 por meio de Zhong 2015"}};
static const struct grain_text agronopy = {{"farmlab/agronopy (maize/grain.py)", "farmlab/agronopy (maize/grain.py)"}};
static const struct grain_text memory = {
    {"ASAE D245 from memory, not checked against a copy", "ASAE D245 de memória, sem conferência com um exemplar"}};
static const struct grain_text wikipedia = {{"gives the table of the English Wikipedia to the last digit",
                                             "reproduz a tabela da Wikipédia em inglês até o último dígito"}};
static const struct grain_text wikipedia_rice = {
    {"gives the tables of the English Wikipedia (12 of 12 cells) and of FSA1074 (10 of 10) to the last digit",
     "reproduz as tabelas da Wikipédia em inglês (12 de 12 células) e da FSA1074 (10 de 10) até o último dígito"}};
static const struct grain_text wikipedia_durum = {
    {"gives the durum table of the English Wikipedia (12 of 12 cells) to the last digit",
     "reproduz a tabela de trigo duro da Wikipédia em inglês (12 de 12 células) até o último dígito"}};
static const struct grain_text airstream = {
    {"gives the table of the Airstream heater manual (126 of 126 cells) to the last digit",
     "reproduz a tabela do manual do aquecedor Airstream (126 de 126 células) até o último dígito"}};
static const struct grain_text basf = {
    {"gives a canola table of BASF (109 of 110 cells) to the last digit",
     "reproduz uma tabela de canola da BASF (109 de 110 células) até o último dígito"}};
static const struct grain_text unit_test = {
    {"a public unit test: 60 °F and 80 % give 16.06", "um teste unitário público: 60 °F e 80 % dão 16,06"}};
static const struct grain_text nox = {{"the NOX wiki says 8.2 at 20 °C and 70 %; this set gives 8.1",
                                       "a wiki NOX indica 8,2 a 20 °C e 70 %; este conjunto dá 8,1"}};
static const struct grain_text armstrong = {
    {"Armstrong, Casada and Lawrence, USDA", "Armstrong, Casada e Lawrence, USDA"}};
static const struct grain_text ramaj = {{"Ramaj et al. 2021, cultivar Pionier, 10 to 50 °C, 5.7 to 86.8 % humidity",
                                         "Ramaj et al. 2021, cultivar Pionier, 10 a 50 °C, 5,7 a 86,8 % de umidade"}};

// clang-format off
// One row per set.
#define NO_VARIANT {{"", ""}}
#define SHELLED {{"shelled", "debulhado"}}
#define YELLOW_DENT {{"shelled yellow dent", "dentado amarelo debulhado"}}
#define ROUGH_LONG {{"rough, long grain", "em casca, grão longo"}}
#define ROUGH {{"rough, any kind", "em casca, qualquer tipo"}}
#define HARD {{"hard", "duro (hard)"}}

static const struct grain_set barley[] = {
    {"chung-pfost-d245.5", GRAIN_CHUNG_PFOST, 475.12, 0.14843, 71.996, NO_VARIANT, "ASAE D245.5", {&calculator, &cable}, GRAIN_CONF_A},
    {"chung-pfost-d245.4", GRAIN_CHUNG_PFOST, 761.66, 0.19889, 91.323, NO_VARIANT, "ASAE D245.4", {&memory, NULL}, GRAIN_CONF_M},
    {"henderson-d245.4", GRAIN_HENDERSON, 2.2919e-05, 2.0123, 195.267, NO_VARIANT, "ASAE D245.4", {&monitor, &memory}, GRAIN_CONF_B},
};
static const struct grain_set canola[] = {
    {"henderson-d245.5", GRAIN_HENDERSON, 0.0005056, 1.5702, 40.1204, NO_VARIANT, "ASAE D245.5", {&memory, &basf}, GRAIN_CONF_A_MINUS},
    {"halsey-d245.5", GRAIN_HALSEY, 3.489, -0.010553, 1.86, {{"rapeseed", "colza"}}, "ASAE D245.5", {&calculator, &memory}, GRAIN_CONF_B},
};
static const struct grain_set corn[] = {
    {"henderson-d245.5", GRAIN_HENDERSON, 6.6612e-05, 1.9677, 42.143, SHELLED, "ASAE D245.5", {&calculator, &wikipedia}, GRAIN_CONF_A},
    {"henderson-d245.4", GRAIN_HENDERSON, 8.6541e-05, 1.8634, 49.81, YELLOW_DENT, "ASAE D245.4", {&agronopy, &airstream}, GRAIN_CONF_A},
    {"chung-pfost-d245.4", GRAIN_CHUNG_PFOST, 312.3, 0.16958, 30.205, YELLOW_DENT, "ASAE D245.4", {&firmware, &arduino}, GRAIN_CONF_A},
    {"chung-pfost-d245.5", GRAIN_CHUNG_PFOST, 374.34, 0.18662, 31.696, SHELLED, "ASAE D245.5", {&memory, &unit_test}, GRAIN_CONF_B},
    {"chung-pfost-usda", GRAIN_CHUNG_PFOST, 523.8, 0.137, 119.7, {{"USDA1, desorption", "USDA1, dessorção"}}, "Armstrong et al.", {&armstrong, NULL}, GRAIN_CONF_C},
    {"oswin-d245.5-code", GRAIN_OSWIN, 15.303, -0.10184, 3.0358, SHELLED, "ASAE D245.5", {&monitor, &memory}, GRAIN_CONF_B},
    {"oswin-d245.5", GRAIN_OSWIN, 15.303, -0.10164, 3.0358, SHELLED, "ASAE D245.5", {&memory, NULL}, GRAIN_CONF_M},
};
static const struct grain_set ear_corn[] = {
    {"henderson-d245.5", GRAIN_HENDERSON, 6.4424e-05, 2.0855, 22.15, {{"on the ear", "na espiga"}}, "ASAE D245.5", {&memory, NULL}, GRAIN_CONF_M},
};
static const struct grain_set in_shell_peanut[] = {
    {"henderson-d245.4", GRAIN_HENDERSON, 6.6587e-05, 2.5362, 23.318, {{"pod", "vagem"}}, "ASAE D245.4", {&memory, NULL}, GRAIN_CONF_M},
    {"chung-pfost-d245.4", GRAIN_CHUNG_PFOST, 521.01, 0.37093, 12.354, {{"pod", "vagem"}}, "ASAE D245.4", {&memory, NULL}, GRAIN_CONF_M},
};
static const struct grain_set long_grain_rice[] = {
    {"henderson-d245.6", GRAIN_HENDERSON, 4.1276e-05, 2.1191, 49.828, ROUGH_LONG, "ASABE D245.5/D245.6", {&zhong, &wikipedia_rice}, GRAIN_CONF_A},
    {"henderson-d245.4", GRAIN_HENDERSON, 1.9187e-05, 2.4451, 51.161, ROUGH, "ASAE D245.4", {&firmware, &asae_code}, GRAIN_CONF_A},
    {"chung-pfost-d245.4", GRAIN_CHUNG_PFOST, 594.61, 0.21733, 35.703, ROUGH, "ASAE D245.4", {&firmware, &memory}, GRAIN_CONF_B},
    {"chung-pfost-d245.6", GRAIN_CHUNG_PFOST, 412.02, 0.17528, 39.016, ROUGH_LONG, "ASABE D245.5/D245.6", {&memory, NULL}, GRAIN_CONF_M},
};
static const struct grain_set oats[] = {
    {"henderson-d245.5", GRAIN_HENDERSON, 8.5511e-05, 2.0087, 37.811, NO_VARIANT, "ASAE D245.5", {&calculator, &memory}, GRAIN_CONF_B},
    {"chung-pfost-d245.5", GRAIN_CHUNG_PFOST, 442.85, 0.21228, 35.803, NO_VARIANT, "ASAE D245.5", {&monitor, &memory}, GRAIN_CONF_B},
    {"chung-pfost-storage", GRAIN_CHUNG_PFOST, 433.157, 0.21581, 41.439, NO_VARIANT, "Storage of Cereal Grains, 5th ed.", {&book, NULL}, GRAIN_CONF_C},
    {"oswin-d245.5", GRAIN_OSWIN, 12.412, -0.060707, 2.9397, NO_VARIANT, "ASAE D245.5", {&memory, NULL}, GRAIN_CONF_M},
};
static const struct grain_set popcorn[] = {
    {"henderson-d245.5", GRAIN_HENDERSON, 0.00015593, 1.5978, 60.754, NO_VARIANT, "ASAE D245.5", {&calculator, &memory}, GRAIN_CONF_B},
};
static const struct grain_set rye[] = {
    {"chung-pfost-storage", GRAIN_CHUNG_PFOST, 461.023, 0.184, 38.741, NO_VARIANT, "Storage of Cereal Grains, 5th ed.", {&book, &memory}, GRAIN_CONF_B},
    {"henderson-d245.5", GRAIN_HENDERSON, 6.343e-05, 2.206, 13.181, NO_VARIANT, "ASAE D245.5", {&memory, NULL}, GRAIN_CONF_M},
};
static const struct grain_set sorghum[] = {
    {"chung-pfost-d245.5", GRAIN_CHUNG_PFOST, 797.33, 0.18159, 52.238, NO_VARIANT, "ASAE D245.5", {&calculator, &wikipedia}, GRAIN_CONF_A},
    {"chung-pfost-d245.4", GRAIN_CHUNG_PFOST, 1099.68, 0.19644, 102.849, NO_VARIANT, "ASAE D245.4", {&memory, NULL}, GRAIN_CONF_M},
    {"henderson-d245.4", GRAIN_HENDERSON, 8.532e-06, 2.4757, 113.725, NO_VARIANT, "ASAE D245.4", {&memory, NULL}, GRAIN_CONF_M},
};
static const struct grain_set soybean[] = {
    {"halsey-d245.5", GRAIN_HALSEY, 2.87, -0.0054, 1.38, {{"Essex", "Essex"}}, "ASAE D245.5", {&monitor, &wikipedia}, GRAIN_CONF_A},
    {"henderson-d245.4", GRAIN_HENDERSON, 0.000305327, 1.2164, 134.136, NO_VARIANT, "ASAE D245.4", {&firmware, &memory}, GRAIN_CONF_B},
    {"chung-pfost-d245.4", GRAIN_CHUNG_PFOST, 328.3, 0.13917, 100.288, NO_VARIANT, "ASAE D245.4", {&firmware, &memory}, GRAIN_CONF_B},
    {"chung-pfost-d245.5", GRAIN_CHUNG_PFOST, 228.2, 0.2072, 30.0, NO_VARIANT, "ASAE D245.5", {&calculator, NULL}, GRAIN_CONF_C},
};
static const struct grain_set sunflower[] = {
    {"henderson-d245.5", GRAIN_HENDERSON, 0.00031, 1.7459, 66.603, NO_VARIANT, "ASAE D245.5", {&calculator, &nox}, GRAIN_CONF_B},
};
static const struct grain_set wheat[] = {
    {"chung-pfost-d245.5", GRAIN_CHUNG_PFOST, 610.34, 0.15526, 93.213, NO_VARIANT, "ASAE D245.5", {&book, &memory}, GRAIN_CONF_B},
    {"chung-pfost-d245.4", GRAIN_CHUNG_PFOST, 529.43, 0.17609, 50.998, HARD, "ASAE D245.4", {&memory, NULL}, GRAIN_CONF_M},
    {"henderson-d245.5", GRAIN_HENDERSON, 4.3295e-05, 2.1119, 41.565, {{"hard red", "duro vermelho (hard red)"}}, "ASAE D245.5", {&calculator, &cable}, GRAIN_CONF_A},
    {"henderson-d245.4", GRAIN_HENDERSON, 2.3007e-05, 2.2857, 55.815, HARD, "ASAE D245.4", {&monitor, &memory}, GRAIN_CONF_B},
    {"oswin-ramaj", GRAIN_OSWIN, 12.9, -0.0646, 2.944, {{"Pionier, desorption", "Pionier, dessorção"}}, "Ramaj et al. 2021", {&ramaj, NULL}, GRAIN_CONF_C},
    // Another species than the sets above: had only by its id, `model` never means it.
    {"oswin-durum-d245.5", GRAIN_OSWIN, 13.101, -0.052626, 2.9987, {{"durum", "durum"}}, "ASAE D245.5", {&memory, &wikipedia_durum}, GRAIN_CONF_A_MINUS},
};

#define ALIASES(...) (const char *const[]){__VA_ARGS__, NULL}
#define SETS(list) list, PL_COUNTOF(list)

static const struct grain_culture cultures[GRAIN_CULTURES] = {
    {"corn", {{"Corn", "Milho"}}, ALIASES("maize", "shelled corn", "milho em grão", "milho debulhado"), SETS(corn)},
    {"ear-corn", {{"Ear corn", "Milho em espiga"}}, ALIASES("corn on the ear", "ear maize", "espiga de milho"), SETS(ear_corn)},
    {"popcorn", {{"Popcorn", "Milho pipoca"}}, ALIASES("pop corn", "pipoca", "milho de pipoca"), SETS(popcorn)},
    {"soybean", {{"Soybean", "Soja"}}, ALIASES("soybeans", "soya", "soya bean", "soya beans", "soja em grão"), SETS(soybean)},
    {"sorghum", {{"Sorghum", "Sorgo"}}, ALIASES("milo", "grain sorghum", "sorgo granífero"), SETS(sorghum)},
    {"wheat", {{"Wheat", "Trigo"}}, ALIASES("trigo em grão"), SETS(wheat)},
    {"barley", {{"Barley", "Cevada"}}, ALIASES("cevada em grão"), SETS(barley)},
    {"oats", {{"Oats", "Aveia"}}, ALIASES("oat"), SETS(oats)},
    {"rye", {{"Rye", "Centeio"}}, ALIASES("centeio em grão"), SETS(rye)},
    {"canola", {{"Canola", "Canola"}}, ALIASES("rapeseed", "colza"), SETS(canola)},
    {"sunflower", {{"Sunflower", "Girassol"}}, ALIASES("sunflower seed", "sunflower seeds", "semente de girassol"), SETS(sunflower)},
    {"long-grain-rice", {{"Long-grain rice", "Arroz de grãos longos"}}, ALIASES("rice, long grain", "rough long-grain rice", "arroz longo", "arroz de grão longo", "arroz agulhinha"), SETS(long_grain_rice)},
    {"in-shell-peanut", {{"In-shell peanut", "Amendoim em casca"}}, ALIASES("in-shell peanuts", "peanut in shell", "peanuts in shell", "peanut pods", "amendoim com casca"), SETS(in_shell_peanut)},
};

// clang-format on

static const struct grain_equation_info equations[GRAIN_EQUATIONS] = {
    [GRAIN_HENDERSON] = {"modified-henderson",
                         {{"Modified Henderson", "Henderson modificada"}},
                         "M = [-ln(1 - r) / (A (T + C))]^(1/B)",
                         "r = 1 - exp(-A (T + C) M^B)"},
    [GRAIN_CHUNG_PFOST] = {"modified-chung-pfost",
                           {{"Modified Chung-Pfost", "Chung-Pfost modificada"}},
                           "M = -(1/B) ln[-(T + C) ln(r) / A]",
                           "r = exp(-A / (T + C) exp(-B M))"},
    [GRAIN_HALSEY] = {"modified-halsey",
                      {{"Modified Halsey", "Halsey modificada"}},
                      "M = [-exp(A + B T) / ln(r)]^(1/C)",
                      "r = exp(-exp(A + B T) M^-C)"},
    [GRAIN_OSWIN] = {"modified-oswin",
                     {{"Modified Oswin", "Oswin modificada"}},
                     "M = (A + B T) (r / (1 - r))^(1/C)",
                     "r = 1 / (((A + B T) / M)^C + 1)"},
};

static const char *const confidence_ids[GRAIN_CONFIDENCES] = {"A", "A-", "B", "C", "M"};
static const struct grain_text confidence_texts[GRAIN_CONFIDENCES] = {
    {{"two sources agree, or a published table is reproduced exactly",
      "duas fontes concordam, ou uma tabela publicada é reproduzida com exatidão"}},
    {{"reproduces a published table", "reproduz uma tabela publicada"}},
    {{"one source", "uma única fonte"}},
    {{"one source, with unusual figures", "uma única fonte, com valores incomuns"}},
    {{"recalled from the standard, not confirmed", "citado de memória da norma, não confirmado"}},
};

const struct grain_culture *grain_cultures(void)
{
    return cultures;
}

const struct grain_equation_info *grain_equation_info(enum grain_equation equation)
{
    return &equations[equation];
}

const char *grain_confidence_id(enum grain_confidence confidence)
{
    return confidence_ids[confidence];
}

const struct grain_text *grain_confidence_text(enum grain_confidence confidence)
{
    return &confidence_texts[confidence];
}

const struct grain_set *grain_set_by_equation(const struct grain_culture *culture, enum grain_equation equation)
{
    for (size_t i = 0; i < culture->set_count; i++) {
        if (culture->sets[i].equation == equation)
            return &culture->sets[i];
    }
    return NULL;
}

const struct grain_set *grain_set_by_id(const struct grain_culture *culture, struct pl_slice id)
{
    for (size_t i = 0; i < culture->set_count; i++) {
        if (pl_slice_eq_cstr(id, culture->sets[i].id))
            return &culture->sets[i];
    }
    return NULL;
}

bool grain_equation_by_id(struct pl_slice id, enum grain_equation *equation)
{
    for (int i = 0; i < GRAIN_EQUATIONS; i++) {
        if (pl_slice_eq_cstr(id, equations[i].id)) {
            *equation = (enum grain_equation)i;
            return true;
        }
    }
    return false;
}
