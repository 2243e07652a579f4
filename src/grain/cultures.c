// The cultures and every known set of constants, with where each set comes from and how sure it is.
#include "base/ckd.h"
#include "grain/grain.h"

// clang-format off
// Where constants come from.
static const struct grain_text calculator = {{"a public grain calculator (TypeScript)", "uma calculadora de grãos pública (TypeScript)", "una calculadora de granos pública (TypeScript)"}};
// A third source prints another A for barley; the difference is 0.2 points of moisture.
static const struct grain_text calculator_barley = {{"a public grain calculator and a public grain cable, A = 475.12", "uma calculadora de grãos pública e um cabo de termometria público, A = 475,12", "una calculadora de granos pública y un cable de termometría público, A = 475,12"}};
static const struct grain_text book_barley = {{"code that names Storage of Cereal Grains, 5th ed., p. 272, prints A = 457.12, which gives 0.2 points less", "um código que cita Storage of Cereal Grains, 5ª ed., p. 272, traz A = 457,12, que dá 0,2 ponto a menos", "un código que cita Storage of Cereal Grains, 5.ª ed., p. 272, trae A = 457,12, que da 0,2 puntos menos"}};
static const struct grain_text monitor = {{"a public bin monitor (TypeScript) that names ASAE D245.5", "um monitor de silos público (TypeScript) que cita a ASAE D245.5", "un monitor de silos público (TypeScript) que cita ASAE D245.5"}};
static const struct grain_text cable = {{"a public grain cable (Arduino) that names ASAE D245.5", "um cabo de termometria público (Arduino) que cita a ASAE D245.5", "un cable de termometría público (Arduino) que cita ASAE D245.5"}};
static const struct grain_text arduino = {{"public Arduino code, Brazilian E/F form", "código Arduino público, forma brasileira E/F", "código Arduino público, forma brasileña E/F"}};
static const struct grain_text firmware = {{"firmware of a public sensor, Brazilian E/F form", "programa de um sensor público, forma brasileira E/F", "programa de un sensor público, forma brasileña E/F"}};
static const struct grain_text book = {{"public code that names Storage of Cereal Grains and Their Products, 5th ed., p. 272", "código público que cita Storage of Cereal Grains and Their Products, 5ª ed., p. 272", "código público que cita Storage of Cereal Grains and Their Products, 5.ª ed., p. 272"}};
static const struct grain_text asae_code = {{"public code that names ASAE D245", "código público que cita a ASAE D245", "código público que cita ASAE D245"}};
static const struct grain_text zhong = {{"public code that names ASABE D245.6 by way of Zhong 2015", "código público que cita a ASABE D245.6 por meio de Zhong 2015", "código público que cita ASABE D245.6 por medio de Zhong 2015"}};
static const struct grain_text agronopy = {{"farmlab/agronopy (maize/grain.py)", "farmlab/agronopy (maize/grain.py)", "farmlab/agronopy (maize/grain.py)"}};
static const struct grain_text memory = {{"ASAE D245 from memory, not checked against a copy", "ASAE D245 de memória, sem conferência com um exemplar", "ASAE D245 de memoria, sin cotejo con un ejemplar"}};
static const struct grain_text wikipedia = {{"gives the table of the English Wikipedia to the last digit", "reproduz a tabela da Wikipédia em inglês até o último dígito", "reproduce la tabla de la Wikipedia en inglés hasta el último dígito"}};
static const struct grain_text wikipedia_rice = {{"gives the tables of the English Wikipedia (12 of 12 cells) and of FSA1074 (10 of 10) to the last digit", "reproduz as tabelas da Wikipédia em inglês (12 de 12 células) e da FSA1074 (10 de 10) até o último dígito", "reproduce las tablas de la Wikipedia en inglés (12 de 12 celdas) y de FSA1074 (10 de 10) hasta el último dígito"}};
static const struct grain_text wikipedia_durum = {{"gives the durum table of the English Wikipedia (12 of 12 cells) to the last digit", "reproduz a tabela de trigo durum da Wikipédia em inglês (12 de 12 células) até o último dígito", "reproduce la tabla de trigo durum de la Wikipedia en inglés (12 de 12 celdas) hasta el último dígito"}};
static const struct grain_text airstream = {{"gives the table of the Airstream heater manual (126 of 126 cells) to the last digit", "reproduz a tabela do manual do aquecedor Airstream (126 de 126 células) até o último dígito", "reproduce la tabla del manual del calefactor Airstream (126 de 126 celdas) hasta el último dígito"}};
static const struct grain_text basf = {{"gives a canola table of BASF (109 of 110 cells) to the last digit", "reproduz uma tabela de canola da BASF (109 de 110 células) até o último dígito", "reproduce una tabla de canola de BASF (109 de 110 celdas) hasta el último dígito"}};
static const struct grain_text unit_test = {{"a public unit test: 60 °F and 80 % give 16.06", "um teste unitário público: 60 °F e 80 % dão 16,06", "una prueba unitaria pública: 60 °F y 80 % dan 16,06"}};
static const struct grain_text nox = {{"the NOX wiki says 8.2 at 20 °C and 70 %; this set gives 8.1", "a wiki NOX indica 8,2 a 20 °C e 70 %; este conjunto dá 8,1", "la wiki NOX indica 8,2 a 20 °C y 70 %; este conjunto da 8,1"}};
static const struct grain_text armstrong = {{"Armstrong, Casada and Lawrence, USDA", "Armstrong, Casada e Lawrence, USDA", "Armstrong, Casada y Lawrence, USDA"}};
static const struct grain_text ramaj = {{"Ramaj et al. 2021, cultivar Pionier, 10 to 50 °C, 5.7 to 86.8 % humidity", "Ramaj et al. 2021, cultivar Pionier, 10 a 50 °C, 5,7 a 86,8 % de umidade relativa", "Ramaj et al. 2021, cultivar Pionier, 10 a 50 °C, 5,7 a 86,8 % de humedad relativa"}};
static const struct grain_text kentucky = {{"gives Kentucky's 10.8 % for soft wheat at 90 °F and 50 %", "dá os 10,8 % de Kentucky para trigo mole a 90 °F e 50 %", "da el 10,8 % de Kentucky para trigo blando a 90 °F y 50 %"}};
static const struct grain_text howlett = {{"gives the 14.5 % of a New York grain merchant's chart at 50 °F and 75 %", "dá os 14,5 % da tabela de um comerciante de grãos de Nova York a 50 °F e 75 %", "da el 14,5 % de la tabla de un acopiador de Nueva York a 50 °F y 75 %"}};

static const struct grain_text arkansas = {{"a public bin monitor (TypeScript) that names the EMC calculator of the University of Arkansas (ASAE D245)", "um monitor de silos público (TypeScript) que cita a calculadora da Universidade de Arkansas (ASAE D245)", "un monitor de silos público (TypeScript) que cita la calculadora de la Universidad de Arkansas (ASAE D245)"}};
static const struct grain_text cenkowski = {{"Cenkowski et al. 2015, red lentil CDC Robin, 5 to 30 °C, as a public bin monitor (TypeScript) prints it", "Cenkowski et al. 2015, lentilha vermelha CDC Robin, 5 a 30 °C, como a traz um monitor de silos público (TypeScript)", "Cenkowski et al. 2015, lenteja roja CDC Robin, 5 a 30 °C, como la trae un monitor de silos público (TypeScript)"}};

static const struct grain_range ramaj_range = {10, 50, 5.7, 86.8};
// Of these the sources give the temperatures only; the humidities are the service's.
static const struct grain_range pinto_range = {21, 38, GRAIN_UR_LOW, GRAIN_UR_HIGH};
static const struct grain_range black_range = {10, 38, GRAIN_UR_LOW, GRAIN_UR_HIGH};
static const struct grain_range white_range = {16, 49, GRAIN_UR_LOW, GRAIN_UR_HIGH};
static const struct grain_range lentil_range = {5, 30, GRAIN_UR_LOW, GRAIN_UR_HIGH};

// One row per set; the default first.
#define NO_VARIANT {{"", "", ""}}
#define SHELLED {{"shelled", "debulhado", "desgranado"}}
#define YELLOW_DENT {{"shelled yellow dent", "dentado amarelo debulhado", "dentado amarillo desgranado"}}
#define ROUGH_LONG {{"rough, long grain", "em casca, grão longo", "con cáscara, grano largo"}}
#define ROUGH {{"rough, any kind", "em casca, qualquer tipo", "con cáscara, cualquier tipo"}}
#define ROUGH_MEDIUM {{"rough, medium grain", "em casca, grão médio", "con cáscara, grano mediano"}}
#define ROUGH_SHORT {{"rough, short grain", "em casca, grão curto", "con cáscara, grano corto"}}
#define HARD {{"bread wheat, hard grain", "trigo comum, grão duro", "trigo pan, grano duro"}}
#define SOFT {{"soft wheat", "trigo mole", "trigo blando"}}
#define POD {{"pod", "vagem", "vaina"}}
#define KERNEL {{"kernels", "amendoim descascado", "maní sin cáscara"}}

static const struct grain_set barley[] = {
    {"henderson-d245.4", GRAIN_HENDERSON, 2.2919e-05, 2.0123, 195.267, NO_VARIANT, "ASAE D245.4", {&monitor, &memory}, GRAIN_CONF_B, NULL, NULL, false, GRAIN_CURVE_MEAN},
    {"chung-pfost-d245.5", GRAIN_CHUNG_PFOST, 475.12, 0.14843, 71.996, NO_VARIANT, "ASAE D245.5", {&calculator_barley, &book_barley}, GRAIN_CONF_A, NULL, NULL, false, GRAIN_CURVE_MEAN},
    {"chung-pfost-d245.4", GRAIN_CHUNG_PFOST, 761.66, 0.19889, 91.323, NO_VARIANT, "ASAE D245.4", {&memory, NULL}, GRAIN_CONF_M, NULL, NULL, false, GRAIN_CURVE_MEAN},
};
static const struct grain_set canola[] = {
    {"henderson-d245.5", GRAIN_HENDERSON, 0.0005056, 1.5702, 40.1204, NO_VARIANT, "ASAE D245.5", {&memory, &basf}, GRAIN_CONF_A_MINUS, NULL, NULL, false, GRAIN_CURVE_MEAN},
    {"halsey-d245.5", GRAIN_HALSEY, 3.489, -0.010553, 1.86, {{"rapeseed", "colza", "colza"}}, "ASAE D245.5", {&calculator, &memory}, GRAIN_CONF_B, NULL, NULL, false, GRAIN_CURVE_MEAN},
};
static const struct grain_set corn[] = {
    {"chung-pfost-d245.4", GRAIN_CHUNG_PFOST, 312.3, 0.16958, 30.205, YELLOW_DENT, "ASAE D245.4", {&firmware, &arduino}, GRAIN_CONF_A, NULL, NULL, false, GRAIN_CURVE_MEAN},
    {"henderson-d245.4", GRAIN_HENDERSON, 8.6541e-05, 1.8634, 49.81, YELLOW_DENT, "ASAE D245.4", {&agronopy, &airstream}, GRAIN_CONF_A, NULL, NULL, false, GRAIN_CURVE_MEAN},
    {"henderson-d245.5", GRAIN_HENDERSON, 6.6612e-05, 1.9677, 42.143, SHELLED, "ASAE D245.5", {&calculator, &wikipedia}, GRAIN_CONF_A, NULL, NULL, false, GRAIN_CURVE_MEAN},
    {"chung-pfost-d245.5", GRAIN_CHUNG_PFOST, 374.34, 0.18662, 31.696, SHELLED, "ASAE D245.5", {&memory, &unit_test}, GRAIN_CONF_B, NULL, NULL, false, GRAIN_CURVE_MEAN},
    {"chung-pfost-usda", GRAIN_CHUNG_PFOST, 523.8, 0.137, 119.7, {{"USDA1, desorption", "USDA1, dessorção", "USDA1, desorción"}}, "Armstrong et al.", {&armstrong, NULL}, GRAIN_CONF_C, NULL, NULL, false, GRAIN_CURVE_DRYING},
    {"oswin-d245.5-code", GRAIN_OSWIN, 15.303, -0.10184, 3.0358, SHELLED, "ASAE D245.5", {&monitor, &memory}, GRAIN_CONF_B, NULL, NULL, false, GRAIN_CURVE_MEAN},
    {"oswin-d245.5", GRAIN_OSWIN, 15.303, -0.10164, 3.0358, SHELLED, "ASAE D245.5", {&memory, NULL}, GRAIN_CONF_M, NULL, NULL, false, GRAIN_CURVE_MEAN},
};
static const struct grain_set ear_corn[] = {
    {"henderson-d245.5", GRAIN_HENDERSON, 6.4424e-05, 2.0855, 22.15, {{"on the ear", "na espiga", "en mazorca"}}, "ASAE D245.5", {&memory, NULL}, GRAIN_CONF_M, NULL, NULL, false, GRAIN_CURVE_MEAN},
};
static const struct grain_set in_shell_peanut[] = {
    {"henderson-d245.4", GRAIN_HENDERSON, 6.6587e-05, 2.5362, 23.318, POD, "ASAE D245.4", {&memory, NULL}, GRAIN_CONF_M, NULL, NULL, false, GRAIN_CURVE_MEAN},
    {"chung-pfost-d245.4", GRAIN_CHUNG_PFOST, 521.01, 0.37093, 12.354, POD, "ASAE D245.4", {&memory, NULL}, GRAIN_CONF_M, NULL, NULL, false, GRAIN_CURVE_MEAN},
    {"henderson-kernel-d245.4", GRAIN_HENDERSON, 0.000650413, 1.4984, 50.561, KERNEL, "ASAE D245.4", {&memory, NULL}, GRAIN_CONF_M, "kernel", NULL, false, GRAIN_CURVE_MEAN},
};
static const struct grain_set long_grain_rice[] = {
    {"henderson-d245.6", GRAIN_HENDERSON, 4.1276e-05, 2.1191, 49.828, ROUGH_LONG, "ASABE D245.5/D245.6", {&zhong, &wikipedia_rice}, GRAIN_CONF_A, NULL, NULL, false, GRAIN_CURVE_MEAN},
    {"henderson-d245.4", GRAIN_HENDERSON, 1.9187e-05, 2.4451, 51.161, ROUGH, "ASAE D245.4", {&firmware, &asae_code}, GRAIN_CONF_A, NULL, NULL, true, GRAIN_CURVE_MEAN},
    {"chung-pfost-d245.4", GRAIN_CHUNG_PFOST, 594.61, 0.21733, 35.703, ROUGH, "ASAE D245.4", {&firmware, &memory}, GRAIN_CONF_B, NULL, NULL, true, GRAIN_CURVE_MEAN},
    {"chung-pfost-d245.6", GRAIN_CHUNG_PFOST, 412.02, 0.17528, 39.016, ROUGH_LONG, "ASABE D245.5/D245.6", {&memory, NULL}, GRAIN_CONF_M, NULL, NULL, false, GRAIN_CURVE_MEAN},
    {"henderson-medium-d245.5", GRAIN_HENDERSON, 3.5502e-05, 2.31, 27.396, ROUGH_MEDIUM, "ASAE D245.5", {&memory, NULL}, GRAIN_CONF_M, "medium", NULL, false, GRAIN_CURVE_MEAN},
    {"henderson-short-d245.5", GRAIN_HENDERSON, 4.8524e-05, 2.0794, 45.646, ROUGH_SHORT, "ASAE D245.5", {&memory, NULL}, GRAIN_CONF_M, "short", NULL, false, GRAIN_CURVE_MEAN},
};
static const struct grain_set oats[] = {
    {"henderson-d245.5", GRAIN_HENDERSON, 8.5511e-05, 2.0087, 37.811, NO_VARIANT, "ASAE D245.5", {&calculator, &memory}, GRAIN_CONF_B, NULL, NULL, false, GRAIN_CURVE_MEAN},
    {"chung-pfost-d245.5", GRAIN_CHUNG_PFOST, 442.85, 0.21228, 35.803, NO_VARIANT, "ASAE D245.5", {&monitor, &memory}, GRAIN_CONF_B, NULL, NULL, false, GRAIN_CURVE_MEAN},
    {"chung-pfost-storage", GRAIN_CHUNG_PFOST, 433.157, 0.21581, 41.439, NO_VARIANT, "Storage of Cereal Grains, 5th ed.", {&book, NULL}, GRAIN_CONF_C, NULL, NULL, false, GRAIN_CURVE_MEAN},
    {"oswin-d245.5", GRAIN_OSWIN, 12.412, -0.060707, 2.9397, NO_VARIANT, "ASAE D245.5", {&memory, NULL}, GRAIN_CONF_M, NULL, NULL, false, GRAIN_CURVE_MEAN},
};
static const struct grain_set popcorn[] = {
    {"henderson-d245.5", GRAIN_HENDERSON, 0.00015593, 1.5978, 60.754, NO_VARIANT, "ASAE D245.5", {&calculator, &memory}, GRAIN_CONF_B, NULL, NULL, false, GRAIN_CURVE_MEAN},
};
static const struct grain_set rye[] = {
    {"chung-pfost-storage", GRAIN_CHUNG_PFOST, 461.023, 0.184, 38.741, NO_VARIANT, "Storage of Cereal Grains, 5th ed.", {&book, &memory}, GRAIN_CONF_B, NULL, NULL, false, GRAIN_CURVE_MEAN},
    {"henderson-d245.5", GRAIN_HENDERSON, 6.343e-05, 2.206, 13.181, NO_VARIANT, "ASAE D245.5", {&memory, NULL}, GRAIN_CONF_M, NULL, NULL, false, GRAIN_CURVE_MEAN},
};
static const struct grain_set sorghum[] = {
    {"chung-pfost-d245.4", GRAIN_CHUNG_PFOST, 1099.68, 0.19644, 102.849, NO_VARIANT, "ASAE D245.4", {&memory, NULL}, GRAIN_CONF_M, NULL, NULL, false, GRAIN_CURVE_MEAN},
    {"chung-pfost-d245.5", GRAIN_CHUNG_PFOST, 797.33, 0.18159, 52.238, NO_VARIANT, "ASAE D245.5", {&calculator, &wikipedia}, GRAIN_CONF_A, NULL, NULL, false, GRAIN_CURVE_MEAN},
    {"henderson-d245.4", GRAIN_HENDERSON, 8.532e-06, 2.4757, 113.725, NO_VARIANT, "ASAE D245.4", {&memory, NULL}, GRAIN_CONF_M, NULL, NULL, false, GRAIN_CURVE_MEAN},
};
static const struct grain_set soybean[] = {
    {"henderson-d245.4", GRAIN_HENDERSON, 0.000305327, 1.2164, 134.136, NO_VARIANT, "ASAE D245.4", {&firmware, &memory}, GRAIN_CONF_B, NULL, NULL, false, GRAIN_CURVE_MEAN},
    {"halsey-d245.5", GRAIN_HALSEY, 2.87, -0.0054, 1.38, {{"Essex", "Essex", "Essex"}}, "ASAE D245.5", {&monitor, &wikipedia}, GRAIN_CONF_A, NULL, NULL, false, GRAIN_CURVE_MEAN},
    {"chung-pfost-d245.4", GRAIN_CHUNG_PFOST, 328.3, 0.13917, 100.288, NO_VARIANT, "ASAE D245.4", {&firmware, &memory}, GRAIN_CONF_B, NULL, NULL, false, GRAIN_CURVE_MEAN},
    {"chung-pfost-d245.5", GRAIN_CHUNG_PFOST, 228.2, 0.2072, 30.0, NO_VARIANT, "ASAE D245.5", {&calculator, NULL}, GRAIN_CONF_C, NULL, NULL, false, GRAIN_CURVE_MEAN},
};
static const struct grain_set sunflower[] = {
    {"henderson-d245.5", GRAIN_HENDERSON, 0.00031, 1.7459, 66.603, NO_VARIANT, "ASAE D245.5", {&calculator, &nox}, GRAIN_CONF_B, NULL, NULL, false, GRAIN_CURVE_MEAN},
};
static const struct grain_set wheat[] = {
    {"chung-pfost-d245.5", GRAIN_CHUNG_PFOST, 610.34, 0.15526, 93.213, NO_VARIANT, "ASAE D245.5", {&book, &memory}, GRAIN_CONF_B, NULL, NULL, false, GRAIN_CURVE_MEAN},
    {"henderson-d245.5", GRAIN_HENDERSON, 4.3295e-05, 2.1119, 41.565, {{"bread wheat, hard red", "trigo comum, grão duro vermelho", "trigo pan, grano duro rojo"}}, "ASAE D245.5", {&calculator, &cable}, GRAIN_CONF_A, NULL, NULL, false, GRAIN_CURVE_MEAN},
    {"henderson-d245.4", GRAIN_HENDERSON, 2.3007e-05, 2.2857, 55.815, HARD, "ASAE D245.4", {&monitor, &memory}, GRAIN_CONF_B, NULL, NULL, false, GRAIN_CURVE_MEAN},
    {"chung-pfost-d245.4", GRAIN_CHUNG_PFOST, 529.43, 0.17609, 50.998, HARD, "ASAE D245.4", {&memory, NULL}, GRAIN_CONF_M, NULL, NULL, false, GRAIN_CURVE_MEAN},
    {"oswin-ramaj", GRAIN_OSWIN, 12.9, -0.0646, 2.944, {{"Pionier, desorption", "Pionier, dessorção", "Pionier, desorción"}}, "Ramaj et al. 2021", {&ramaj, NULL}, GRAIN_CONF_C, NULL, &ramaj_range, false, GRAIN_CURVE_DRYING},
    {"oswin-durum-d245.5", GRAIN_OSWIN, 13.101, -0.052626, 2.9987, {{"durum wheat", "trigo durum", "trigo durum o candeal"}}, "ASAE D245.5", {&memory, &wikipedia_durum}, GRAIN_CONF_A_MINUS, "durum", NULL, false, GRAIN_CURVE_MEAN},
    {"henderson-soft-d245.4", GRAIN_HENDERSON, 1.2299e-05, 2.5558, 64.346, SOFT, "ASAE D245.4", {&memory, &kentucky}, GRAIN_CONF_M, "soft", NULL, false, GRAIN_CURVE_MEAN},
    {"chung-pfost-soft-d245.4", GRAIN_CHUNG_PFOST, 726.49, 0.23607, 35.662, SOFT, "ASAE D245.4", {&memory, &howlett}, GRAIN_CONF_M, "soft", NULL, false, GRAIN_CURVE_MEAN},
};

static const struct grain_set dry_beans[] = {
    {"henderson-d245.4", GRAIN_HENDERSON, 2.0899e-05, 1.8812, 254.23, {{"edible beans", "feijão comestível", "frijol comestible"}}, "ASAE D245.4", {&arkansas, NULL}, GRAIN_CONF_B, NULL, NULL, false, GRAIN_CURVE_MEAN},
    {"halsey-black-d245.5", GRAIN_HALSEY, 5.2003, -0.022685, 1.9856, {{"black beans", "feijão preto", "frijol negro"}}, "ASAE D245.5", {&monitor, NULL}, GRAIN_CONF_B, NULL, &black_range, false, GRAIN_CURVE_MEAN},
    {"halsey-white-d245.5", GRAIN_HALSEY, 4.2277, -0.014751, 1.7251, {{"white beans", "feijão branco", "frijol blanco"}}, "ASAE D245.5", {&monitor, NULL}, GRAIN_CONF_B, NULL, &white_range, false, GRAIN_CURVE_MEAN},
    {"halsey-pinto-d245.5", GRAIN_HALSEY, 4.4181, -0.011875, 1.7571, {{"pinto beans", "feijão pinto", "frijol pinto"}}, "ASAE D245.5", {&monitor, NULL}, GRAIN_CONF_B, NULL, &pinto_range, false, GRAIN_CURVE_MEAN},
};
static const struct grain_set lentils[] = {
    {"halsey-cenkowski", GRAIN_HALSEY, 5.39, -0.015, 2.273, {{"red, CDC Robin", "vermelha, CDC Robin", "roja, CDC Robin"}}, "Cenkowski et al. 2015", {&cenkowski, NULL}, GRAIN_CONF_B, NULL, &lentil_range, false, GRAIN_CURVE_MEAN},
};
static const struct grain_set flaxseed[] = {
    {"henderson-d245.5", GRAIN_HENDERSON, 0.000176, 1.9054, 56.228, {{"Linott", "Linott", "Linott"}}, "ASAE D245.5", {&monitor, NULL}, GRAIN_CONF_B, NULL, NULL, false, GRAIN_CURVE_MEAN},
};
static const struct grain_set buckwheat[] = {
    {"chung-pfost-storage", GRAIN_CHUNG_PFOST, 1.04e8, 0.1646, 1.59e7, NO_VARIANT, "Storage of Cereal Grains, 5th ed.", {&book, NULL}, GRAIN_CONF_C, NULL, NULL, false, GRAIN_CURVE_MEAN},
};

#define ALIASES(...) (const char *const[]){__VA_ARGS__, NULL}
#define SETS(list) list, PL_COUNTOF(list)

static const struct grain_culture cultures[GRAIN_CULTURES] = {
    {"corn", {{"Corn", "Milho", "Maíz"}}, ALIASES("maize", "shelled corn", "milho em grão", "milho debulhado", "maíz en grano", "maíz desgranado", "milho em grãos", "corn grain"), SETS(corn)},
    {"ear-corn", {{"Ear corn", "Milho em espiga", "Maíz en mazorca"}}, ALIASES("corn on the ear", "ear maize", "espiga de milho", "maíz en espiga"), SETS(ear_corn)},
    {"popcorn", {{"Popcorn", "Milho pipoca", "Maíz pisingallo"}}, ALIASES("pop corn", "pipoca", "milho de pipoca", "maíz palomero", "pisingallo", "maíz reventón", "maíz para rosetas", "milho para pipoca"), SETS(popcorn)},
    {"soybean", {{"Soybean", "Soja", "Soja"}}, ALIASES("soybeans", "soy", "soy beans", "soya", "soya bean", "soya beans", "soja em grão", "soja em grãos", "grão de soja", "poroto de soja"), SETS(soybean)},
    {"sorghum", {{"Sorghum", "Sorgo", "Sorgo"}}, ALIASES("milo", "grain sorghum", "sorgo granífero"), SETS(sorghum)},
    {"wheat", {{"Wheat", "Trigo", "Trigo"}}, ALIASES("trigo em grão", "trigo em grãos", "bread wheat", "trigo comum", "trigo pan"), SETS(wheat)},
    {"barley", {{"Barley", "Cevada", "Cebada"}}, ALIASES("cevada em grão", "cevada em grãos", "cebada cervecera"), SETS(barley)},
    {"oats", {{"Oats", "Aveia", "Avena"}}, ALIASES("oat", "aveia em grão", "aveia em grãos"), SETS(oats)},
    {"rye", {{"Rye", "Centeio", "Centeno"}}, ALIASES("centeio em grão", "centeio em grãos"), SETS(rye)},
    {"canola", {{"Canola", "Canola", "Canola"}}, ALIASES("rapeseed", "colza"), SETS(canola)},
    {"sunflower", {{"Sunflower", "Girassol", "Girasol"}}, ALIASES("sunflower seed", "sunflower seeds", "semente de girassol", "semilla de girasol"), SETS(sunflower)},
    {"long-grain-rice", {{"Long-grain rice", "Arroz de grãos longos", "Arroz de grano largo"}}, ALIASES("rice, long grain", "rough long-grain rice", "arroz longo", "arroz de grão longo", "arroz agulhinha", "arroz largo fino"), SETS(long_grain_rice)},
    {"in-shell-peanut", {{"In-shell peanut", "Amendoim em casca", "Maní con cáscara"}}, ALIASES("in-shell peanuts", "peanut in shell", "peanuts in shell", "peanut pods", "amendoim com casca", "maní en caja", "cacahuate con cáscara"), SETS(in_shell_peanut)},
    {"dry-beans", {{"Dry beans", "Feijão", "Frijol"}}, ALIASES("bean", "beans", "dry bean", "edible beans", "common beans", "feijões", "feijão em grãos", "feijão comum", "frijoles", "poroto", "porotos", "judía", "judías", "alubia", "alubias"), SETS(dry_beans)},
    {"lentils", {{"Lentils", "Lentilha", "Lenteja"}}, ALIASES("lentil", "red lentils", "lentilhas", "lentejas"), SETS(lentils)},
    {"flaxseed", {{"Flaxseed", "Linhaça", "Lino"}}, ALIASES("flax", "linseed", "linaza", "semente de linhaça", "semilla de lino"), SETS(flaxseed)},
    {"buckwheat", {{"Buckwheat", "Trigo-sarraceno", "Trigo sarraceno"}}, ALIASES("trigo mourisco", "sarraceno", "alforfón"), SETS(buckwheat)},
};

static const struct grain_equation_info equations[GRAIN_EQUATIONS] = {
    [GRAIN_HENDERSON] = {"modified-henderson", {{"Modified Henderson", "Henderson modificada", "Henderson modificada"}}, "M = [-ln(1 - r) / (A (T + C))]^(1/B)", "r = 1 - exp(-A (T + C) M^B)"},
    [GRAIN_CHUNG_PFOST] = {"modified-chung-pfost", {{"Modified Chung-Pfost", "Chung-Pfost modificada", "Chung-Pfost modificada"}}, "M = -(1/B) ln[-(T + C) ln(r) / A]", "r = exp(-A / (T + C) exp(-B M))"},
    [GRAIN_HALSEY] = {"modified-halsey", {{"Modified Halsey", "Halsey modificada", "Halsey modificada"}}, "M = [-exp(A + B T) / ln(r)]^(1/C)", "r = exp(-exp(A + B T) M^-C)"},
    [GRAIN_OSWIN] = {"modified-oswin", {{"Modified Oswin", "Oswin modificada", "Oswin modificada"}}, "M = (A + B T) (r / (1 - r))^(1/C)", "r = 1 / (((A + B T) / M)^C + 1)"},
};

static const char *const confidence_ids[GRAIN_CONFIDENCES] = {"A", "A-", "B", "C", "M"};
static const struct grain_text confidence_texts[GRAIN_CONFIDENCES] = {
    {{"two sources agree, or a published table is reproduced exactly", "duas fontes concordam, ou uma tabela publicada é reproduzida com exatidão", "dos fuentes coinciden, o se reproduce con exactitud una tabla publicada"}},
    {{"reproduces a published table", "reproduz uma tabela publicada", "reproduce una tabla publicada"}},
    {{"one source", "uma única fonte", "una sola fuente"}},
    {{"one source, with unusual figures", "uma única fonte, com valores incomuns", "una sola fuente, con valores inusuales"}},
    {{"recalled from the standard, not confirmed", "citado de memória da norma, não confirmado", "citado de memoria de la norma, sin confirmar"}},
};

static const char *const agreement_ids[GRAIN_AGREEMENTS] = {"close", "fair", "far", "unknown"};
static const struct grain_text agreement_texts[GRAIN_AGREEMENTS] = {
    {{"close: within 0.3 points on average", "próximo: até 0,3 ponto em média", "cercano: hasta 0,3 puntos en promedio"}},
    {{"fair: within 0.6 points on average", "razoável: até 0,6 ponto em média", "razonable: hasta 0,6 puntos en promedio"}},
    {{"far: more than 0.6 points off on average", "distante: mais de 0,6 ponto em média", "lejano: más de 0,6 puntos en promedio"}},
    {{"not known: no published point was found", "desconhecido: nenhum ponto publicado foi encontrado", "desconocido: no se encontró ningún punto publicado"}},
};

static const char *const curve_ids[GRAIN_CURVES] = {"mean", "drying", "wetting"};
static const struct grain_text curve_texts[GRAIN_CURVES] = {
    {{"mean of drying and wetting", "média de secagem e umedecimento", "media de secado y humedecimiento"}},
    {{"drying (desorption)", "secagem (dessorção)", "secado (desorción)"}},
    {{"wetting (adsorption)", "umedecimento (adsorção)", "humedecimiento (adsorción)"}},
};
// clang-format on

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

const char *grain_agreement_id(enum grain_agreement agreement)
{
    return agreement_ids[agreement];
}

const struct grain_text *grain_agreement_text(enum grain_agreement agreement)
{
    return &agreement_texts[agreement];
}

const char *grain_lang_id(enum grain_lang lang)
{
    static const char *const ids[GRAIN_LANGS] = {"en", "pt", "es"};
    return ids[lang];
}

const struct grain_set *grain_set_by_equation(const struct grain_culture *culture, enum grain_equation equation)
{
    for (size_t i = 0; i < culture->set_count; i++) {
        if (culture->sets[i].equation == equation && culture->sets[i].kind == NULL)
            return &culture->sets[i];
    }
    return NULL;
}

bool grain_same_kind(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

const char *grain_curve_id(enum grain_curve curve)
{
    return curve_ids[curve];
}

const struct grain_text *grain_curve_text(enum grain_curve curve)
{
    return &curve_texts[curve];
}

bool grain_curve_by_id(struct pl_slice id, enum grain_curve *curve)
{
    for (int i = 0; i < GRAIN_CURVES; i++) {
        if (pl_slice_eq_nocase(id, pl_slice_cstr(curve_ids[i]))) {
            *curve = (enum grain_curve)i;
            return true;
        }
    }
    return false;
}

const struct grain_set *grain_set_by_curve(const struct grain_culture *culture, enum grain_curve curve)
{
    for (size_t i = 0; i < culture->set_count; i++) {
        if (culture->sets[i].curve == curve && culture->sets[i].kind == NULL)
            return &culture->sets[i];
    }
    return NULL;
}

const struct grain_set *grain_set_by_id(const struct grain_culture *culture, struct pl_slice id)
{
    for (size_t i = 0; i < culture->set_count; i++) {
        if (pl_slice_eq_nocase(id, pl_slice_cstr(culture->sets[i].id)))
            return &culture->sets[i];
    }
    return NULL;
}

bool grain_equation_by_id(struct pl_slice id, enum grain_equation *equation)
{
    for (int i = 0; i < GRAIN_EQUATIONS; i++) {
        if (pl_slice_eq_nocase(id, pl_slice_cstr(equations[i].id))) {
            *equation = (enum grain_equation)i;
            return true;
        }
    }
    return false;
}
