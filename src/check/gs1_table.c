// The table of application identifiers. Held against the GS1 Barcode Syntax Dictionary by tests/unit/check.
#include "check/gs1_internal.h"

enum {
    PREDEFINED = PL_GS1_PREDEFINED,
    ATTRIBUTE = PL_GS1_ATTRIBUTE,
#define SHORT_NAME(id, name) id = PL_GS1_##id,
    PL_GS1_LINTS(SHORT_NAME)
#undef SHORT_NAME
};

// Parts: exactly so many characters or up to so many, and their checks; those that may be left out.
#define PART(characters, least, most, maybe, ...)                                                                      \
    {                                                                                                                  \
        .set = characters, .min = least, .max = most, .optional = maybe, .lints = { __VA_ARGS__ }                      \
    }
#define IS(set, length, ...) PART(set, length, length, false, __VA_ARGS__)
#define UP_TO(set, length, ...) PART(set, 1, length, false, __VA_ARGS__)
#define MAY_BE(set, length, ...) PART(set, length, length, true, __VA_ARGS__)
#define MAY_BE_UP_TO(set, length, ...) PART(set, 1, length, true, __VA_ARGS__)

#define AIS(from, to, name, bits, ...)                                                                                 \
    {                                                                                                                  \
        .first = from, .last = to, .title = name, .flags = bits, __VA_ARGS__                                           \
    }
#define AI(ai, name, bits, ...) AIS(ai, ai, name, bits, __VA_ARGS__)

// Measures: the fourth digit is the place of the decimal point; six digits follow. Of trade items, of logistic units,
// and per square metre.
#define MEASURE(ai, name, partners)                                                                                    \
    AIS(ai "0", ai "5", name, PREDEFINED | ATTRIBUTE, .parts = {IS('N', 6, 0)}, .needs = partners, .excludes = ai "n")
#define TRADE(ai, name) MEASURE(ai, name, "01,02")
#define LOGISTIC(ai, name) MEASURE(ai, name, "00,01")
#define AREAL(ai, name) MEASURE(ai, name, "01")

// In the order of their digits.
static const struct pl_gs1_identifier table[] = {
    AI("00", "SSCC", PREDEFINED | ATTRIBUTE, .parts = {IS('N', 18, CSUM, PREFIX2)}, .qualifiers = ""),
    AI("01", "GTIN", PREDEFINED | ATTRIBUTE, .parts = {IS('N', 14, CSUM, PREFIX2)}, .excludes = "255,37",
       .qualifiers = "22,10,21|235"),
    AI("02", "CONTENT", PREDEFINED | ATTRIBUTE, .parts = {IS('N', 14, CSUM, PREFIX2)}, .needs = "37",
       .excludes = "01,03"),
    AI("03", "MTO GTIN", PREDEFINED, .parts = {IS('N', 14, CSUM, PREFIX2)}, .excludes = "01,02,37,235"),
    AI("10", "BATCH/LOT", ATTRIBUTE, .parts = {UP_TO('X', 20, 0)}, .needs = "01,02,03,8006,8026"),
    AI("11", "PROD DATE", PREDEFINED | ATTRIBUTE, .parts = {IS('N', 6, YYMMD0)}, .needs = "01,02,03,8006,8026"),
    AI("12", "DUE DATE", PREDEFINED | ATTRIBUTE, .parts = {IS('N', 6, YYMMD0)}, .needs = "8020"),
    AI("13", "PACK DATE", PREDEFINED | ATTRIBUTE, .parts = {IS('N', 6, YYMMD0)}, .needs = "01,02,03,8006,8026"),
    AI("15", "BEST BEFORE or BEST BY", PREDEFINED | ATTRIBUTE, .parts = {IS('N', 6, YYMMD0)},
       .needs = "01,02,03,8006,8026"),
    AI("16", "SELL BY", PREDEFINED | ATTRIBUTE, .parts = {IS('N', 6, YYMMD0)}, .needs = "01,02,03,8006,8026"),
    AI("17", "USE BY or EXPIRY", PREDEFINED | ATTRIBUTE, .parts = {IS('N', 6, YYMMD0)},
       .needs = "01,02,03,255,8006,8026"),
    AI("20", "VARIANT", PREDEFINED | ATTRIBUTE, .parts = {IS('N', 2, 0)}, .needs = "01,02,03,8006,8026"),
    AI("21", "SERIAL", 0, .parts = {UP_TO('X', 20, 0)}, .needs = "01,03,8006", .excludes = "235"),
    AI("22", "CPV", 0, .parts = {UP_TO('X', 20, 0)}, .needs = "01"),
    AI("235", "TPX", 0, .parts = {UP_TO('X', 28, 0)}, .needs = "01"),
    AI("240", "ADDITIONAL ID", ATTRIBUTE, .parts = {UP_TO('X', 30, 0)}, .needs = "01,02,03,8006,8026"),
    AI("241", "CUST. PART No.", ATTRIBUTE, .parts = {UP_TO('X', 30, 0)}, .needs = "01,02,03,8006,8026"),
    AI("242", "MTO VARIANT", ATTRIBUTE, .parts = {UP_TO('N', 6, 0)}, .needs = "01,02,8006,8026"),
    AI("243", "PCN", ATTRIBUTE, .parts = {UP_TO('X', 20, 0)}, .needs = "01,03"),
    AI("250", "SECONDARY SERIAL", ATTRIBUTE, .parts = {UP_TO('X', 30, 0)}, .needs = "01+21,03+21,8006+21"),
    AI("251", "REF. TO SOURCE", ATTRIBUTE, .parts = {UP_TO('X', 30, 0)}, .needs = "01,03,8006"),
    AI("253", "GDTI", ATTRIBUTE, .parts = {IS('N', 13, CSUM, PREFIX1), MAY_BE_UP_TO('X', 17, 0)}, .qualifiers = ""),
    AI("254", "GLN EXTENSION COMPONENT", 0, .parts = {UP_TO('X', 20, 0)}, .needs = "414"),
    AI("255", "GCN", ATTRIBUTE, .parts = {IS('N', 13, CSUM, PREFIX1), MAY_BE_UP_TO('N', 12, 0)},
       .excludes = "01,02,415,8006,8020,8026", .qualifiers = ""),
    AI("30", "VAR. COUNT", ATTRIBUTE, .parts = {UP_TO('N', 8, 0)}, .needs = "01,02"),
    TRADE("310", "NET WEIGHT (kg)"),
    TRADE("311", "LENGTH (m)"),
    TRADE("312", "WIDTH (m)"),
    TRADE("313", "HEIGHT (m)"),
    TRADE("314", "AREA (m2)"),
    TRADE("315", "NET VOLUME (l)"),
    TRADE("316", "NET VOLUME (m3)"),
    TRADE("320", "NET WEIGHT (lb)"),
    TRADE("321", "LENGTH (in)"),
    TRADE("322", "LENGTH (ft)"),
    TRADE("323", "LENGTH (yd)"),
    TRADE("324", "WIDTH (in)"),
    TRADE("325", "WIDTH (ft)"),
    TRADE("326", "WIDTH (yd)"),
    TRADE("327", "HEIGHT (in)"),
    TRADE("328", "HEIGHT (ft)"),
    TRADE("329", "HEIGHT (yd)"),
    LOGISTIC("330", "GROSS WEIGHT (kg)"),
    LOGISTIC("331", "LENGTH (m), log"),
    LOGISTIC("332", "WIDTH (m), log"),
    LOGISTIC("333", "HEIGHT (m), log"),
    LOGISTIC("334", "AREA (m2), log"),
    LOGISTIC("335", "VOLUME (l), log"),
    LOGISTIC("336", "VOLUME (m3), log"),
    AREAL("337", "KG PER m2"),
    LOGISTIC("340", "GROSS WEIGHT (lb)"),
    LOGISTIC("341", "LENGTH (in), log"),
    LOGISTIC("342", "LENGTH (ft), log"),
    LOGISTIC("343", "LENGTH (yd), log"),
    LOGISTIC("344", "WIDTH (in), log"),
    LOGISTIC("345", "WIDTH (ft), log"),
    LOGISTIC("346", "WIDTH (yd), log"),
    LOGISTIC("347", "HEIGHT (in), log"),
    LOGISTIC("348", "HEIGHT (ft), log"),
    LOGISTIC("349", "HEIGHT (yd), log"),
    TRADE("350", "AREA (in2)"),
    TRADE("351", "AREA (ft2)"),
    TRADE("352", "AREA (yd2)"),
    LOGISTIC("353", "AREA (in2), log"),
    LOGISTIC("354", "AREA (ft2), log"),
    LOGISTIC("355", "AREA (yd2), log"),
    TRADE("356", "NET WEIGHT (tr oz)"),
    TRADE("357", "NET VOLUME (oz)"),
    TRADE("360", "NET VOLUME (qt (US))"),
    TRADE("361", "NET VOLUME (gal.)"),
    LOGISTIC("362", "VOLUME (qt (US)), log"),
    LOGISTIC("363", "VOLUME (gal (US)), log"),
    TRADE("364", "NET VOLUME (in3)"),
    TRADE("365", "NET VOLUME (ft3)"),
    TRADE("366", "NET VOLUME (yd3)"),
    LOGISTIC("367", "VOLUME (in3), log"),
    LOGISTIC("368", "VOLUME (ft3), log"),
    LOGISTIC("369", "VOLUME (yd3), log"),
    AI("37", "COUNT", ATTRIBUTE, .parts = {UP_TO('N', 8, 0)}, .needs = "00+02,00+8026"),
    AIS("3900", "3909", "AMOUNT", ATTRIBUTE, .parts = {UP_TO('N', 15, 0)}, .needs = "255,8020",
        .excludes = "390n,391n,394n,8111"),
    AIS("3910", "3919", "AMOUNT", ATTRIBUTE, .parts = {IS('N', 3, CURRENCY), UP_TO('N', 15, 0)}, .needs = "8020",
        .excludes = "391n"),
    AIS("3920", "3929", "PRICE", ATTRIBUTE, .parts = {UP_TO('N', 15, 0)},
        .needs = "01+30,01+31nn,01+32nn,01+35nn,01+36nn", .excludes = "392n,393n"),
    AIS("3930", "3939", "PRICE", ATTRIBUTE, .parts = {IS('N', 3, CURRENCY), UP_TO('N', 15, 0)},
        .needs = "30,31nn,32nn,35nn,36nn", .excludes = "393n"),
    AIS("3940", "3943", "PRCNT OFF", ATTRIBUTE, .parts = {IS('N', 4, 0)}, .needs = "255", .excludes = "394n,8111"),
    AIS("3950", "3955", "PRICE/UoM", ATTRIBUTE, .parts = {IS('N', 6, 0)}, .needs = "30,31nn,32nn,35nn,36nn",
        .excludes = "392n,393n,395n,8005"),
    AI("400", "ORDER NUMBER", ATTRIBUTE, .parts = {UP_TO('X', 30, 0)}),
    AI("401", "GINC", ATTRIBUTE, .parts = {UP_TO('X', 30, PREFIX1)}, .qualifiers = ""),
    AI("402", "GSIN", ATTRIBUTE, .parts = {IS('N', 17, CSUM, PREFIX1)}, .qualifiers = ""),
    AI("403", "ROUTE", ATTRIBUTE, .parts = {UP_TO('X', 30, 0)}, .needs = "00"),
    AI("410", "SHIP TO LOC", PREDEFINED | ATTRIBUTE, .parts = {IS('N', 13, CSUM, PREFIX1)}),
    AI("411", "BILL TO", PREDEFINED | ATTRIBUTE, .parts = {IS('N', 13, CSUM, PREFIX1)}),
    AI("412", "PURCHASE FROM", PREDEFINED | ATTRIBUTE, .parts = {IS('N', 13, CSUM, PREFIX1)}),
    AI("413", "SHIP FOR LOC", PREDEFINED | ATTRIBUTE, .parts = {IS('N', 13, CSUM, PREFIX1)}),
    AI("414", "LOC No.", PREDEFINED | ATTRIBUTE, .parts = {IS('N', 13, CSUM, PREFIX1)}, .qualifiers = "254|7040"),
    AI("415", "PAY TO", PREDEFINED | ATTRIBUTE, .parts = {IS('N', 13, CSUM, PREFIX1)}, .needs = "8020",
       .qualifiers = "8020"),
    AI("416", "PROD/SERV LOC", PREDEFINED | ATTRIBUTE, .parts = {IS('N', 13, CSUM, PREFIX1)}),
    AI("417", "PARTY", PREDEFINED | ATTRIBUTE, .parts = {IS('N', 13, CSUM, PREFIX1)}, .qualifiers = "7040"),
    AI("420", "SHIP TO POST", ATTRIBUTE, .parts = {UP_TO('X', 20, 0)}, .excludes = "421"),
    AI("421", "SHIP TO POST", ATTRIBUTE, .parts = {IS('N', 3, COUNTRY), UP_TO('X', 9, 0)}, .excludes = "4307"),
    AI("422", "ORIGIN", ATTRIBUTE, .parts = {IS('N', 3, COUNTRY)}, .needs = "01,02,03,8006,8026", .excludes = "426"),
    AI("423", "COUNTRY - INITIAL PROCESS", ATTRIBUTE,
       .parts = {IS('N', 3, COUNTRY), MAY_BE('N', 3, COUNTRY), MAY_BE('N', 3, COUNTRY), MAY_BE('N', 3, COUNTRY),
                 MAY_BE('N', 3, COUNTRY)},
       .needs = "01,02,03", .excludes = "426"),
    AI("424", "COUNTRY - PROCESS", ATTRIBUTE, .parts = {IS('N', 3, COUNTRY)}, .needs = "01,02,03", .excludes = "426"),
    AI("425", "COUNTRY - DISASSEMBLY", ATTRIBUTE,
       .parts = {IS('N', 3, COUNTRY), MAY_BE('N', 3, COUNTRY), MAY_BE('N', 3, COUNTRY), MAY_BE('N', 3, COUNTRY),
                 MAY_BE('N', 3, COUNTRY)},
       .needs = "01,02,03", .excludes = "426"),
    AI("426", "COUNTRY - FULL PROCESS", ATTRIBUTE, .parts = {IS('N', 3, COUNTRY)}, .needs = "01,02,03"),
    AI("427", "ORIGIN SUBDIVISION", ATTRIBUTE, .parts = {UP_TO('X', 3, 0)}, .needs = "01+422,02+422,03+422"),
    AI("4300", "SHIP TO COMP", ATTRIBUTE, .parts = {UP_TO('X', 35, PERCENT)}, .needs = "00"),
    AI("4301", "SHIP TO NAME", ATTRIBUTE, .parts = {UP_TO('X', 35, PERCENT)}, .needs = "00"),
    AI("4302", "SHIP TO ADD1", ATTRIBUTE, .parts = {UP_TO('X', 70, PERCENT)}, .needs = "00"),
    AI("4303", "SHIP TO ADD2", ATTRIBUTE, .parts = {UP_TO('X', 70, PERCENT)}, .needs = "4302"),
    AI("4304", "SHIP TO SUB", ATTRIBUTE, .parts = {UP_TO('X', 70, PERCENT)}, .needs = "00"),
    AI("4305", "SHIP TO LOC", ATTRIBUTE, .parts = {UP_TO('X', 70, PERCENT)}, .needs = "00"),
    AI("4306", "SHIP TO REG", ATTRIBUTE, .parts = {UP_TO('X', 70, PERCENT)}, .needs = "00"),
    AI("4307", "SHIP TO COUNTRY", ATTRIBUTE, .parts = {IS('X', 2, COUNTRY_ALPHA2)}, .needs = "00"),
    AI("4308", "SHIP TO PHONE", ATTRIBUTE, .parts = {UP_TO('X', 30, 0)}, .needs = "00"),
    AI("4309", "SHIP TO GEO", ATTRIBUTE, .parts = {IS('N', 10, LATITUDE), IS('N', 10, LONGITUDE)}, .needs = "00"),
    AI("4310", "RTN TO COMP", ATTRIBUTE, .parts = {UP_TO('X', 35, PERCENT)}, .needs = "00"),
    AI("4311", "RTN TO NAME", ATTRIBUTE, .parts = {UP_TO('X', 35, PERCENT)}, .needs = "00"),
    AI("4312", "RTN TO ADD1", ATTRIBUTE, .parts = {UP_TO('X', 70, PERCENT)}, .needs = "00"),
    AI("4313", "RTN TO ADD2", ATTRIBUTE, .parts = {UP_TO('X', 70, PERCENT)}, .needs = "4312"),
    AI("4314", "RTN TO SUB", ATTRIBUTE, .parts = {UP_TO('X', 70, PERCENT)}, .needs = "00"),
    AI("4315", "RTN TO LOC", ATTRIBUTE, .parts = {UP_TO('X', 70, PERCENT)}, .needs = "00"),
    AI("4316", "RTN TO REG", ATTRIBUTE, .parts = {UP_TO('X', 70, PERCENT)}, .needs = "00"),
    AI("4317", "RTN TO COUNTRY", ATTRIBUTE, .parts = {IS('X', 2, COUNTRY_ALPHA2)}, .needs = "00"),
    AI("4318", "RTN TO POST", ATTRIBUTE, .parts = {UP_TO('X', 20, 0)}, .needs = "00"),
    AI("4319", "RTN TO PHONE", ATTRIBUTE, .parts = {UP_TO('X', 30, 0)}, .needs = "00"),
    AI("4320", "SRV DESCRIPTION", ATTRIBUTE, .parts = {UP_TO('X', 35, PERCENT)}, .needs = "00"),
    AI("4321", "DANGEROUS GOODS", ATTRIBUTE, .parts = {IS('N', 1, YES_NO)}, .needs = "00"),
    AI("4322", "AUTH TO LEAVE", ATTRIBUTE, .parts = {IS('N', 1, YES_NO)}, .needs = "00"),
    AI("4323", "SIG REQUIRED", ATTRIBUTE, .parts = {IS('N', 1, YES_NO)}, .needs = "00"),
    AI("4324", "NOT BEF DEL DT", ATTRIBUTE, .parts = {IS('N', 6, YYMMD0), IS('N', 4, HHMI)}, .needs = "00"),
    AI("4325", "NOT AFT DEL DT", ATTRIBUTE, .parts = {IS('N', 6, YYMMD0), IS('N', 4, HHMI)}, .needs = "00"),
    AI("4326", "REL DATE", ATTRIBUTE, .parts = {IS('N', 6, YYMMDD)}, .needs = "00"),
    AI("4330", "MAX TEMP F.", ATTRIBUTE, .parts = {IS('N', 6, 0), MAY_BE('X', 1, HYPHEN)}, .needs = "00",
       .excludes = "4331"),
    AI("4331", "MAX TEMP C.", ATTRIBUTE, .parts = {IS('N', 6, 0), MAY_BE('X', 1, HYPHEN)}, .needs = "00",
       .excludes = "4330"),
    AI("4332", "MIN TEMP F.", ATTRIBUTE, .parts = {IS('N', 6, 0), MAY_BE('X', 1, HYPHEN)}, .needs = "00",
       .excludes = "4333"),
    AI("4333", "MIN TEMP C.", ATTRIBUTE, .parts = {IS('N', 6, 0), MAY_BE('X', 1, HYPHEN)}, .needs = "00",
       .excludes = "4332"),
    AI("7001", "NSN", ATTRIBUTE, .parts = {IS('N', 13, 0)}, .needs = "01,02,8006,8026"),
    AI("7002", "MEAT CUT", ATTRIBUTE, .parts = {UP_TO('X', 30, 0)}, .needs = "01,02"),
    AI("7003", "EXPIRY TIME", ATTRIBUTE, .parts = {IS('N', 6, YYMMDD), IS('N', 4, HHMI)}, .needs = "01,02,03"),
    AI("7004", "ACTIVE POTENCY", ATTRIBUTE, .parts = {UP_TO('N', 4, 0)}, .needs = "01+10,03+10"),
    AI("7005", "CATCH AREA", ATTRIBUTE, .parts = {UP_TO('X', 12, 0)}, .needs = "01,02"),
    AI("7006", "FIRST FREEZE DATE", ATTRIBUTE, .parts = {IS('N', 6, YYMMDD)}, .needs = "01,02"),
    AI("7007", "HARVEST DATE", ATTRIBUTE, .parts = {IS('N', 6, YYMMDD), MAY_BE('N', 6, YYMMDD)}, .needs = "01,02"),
    AI("7008", "AQUATIC SPECIES", ATTRIBUTE, .parts = {UP_TO('X', 3, 0)}, .needs = "01,02"),
    AI("7009", "FISHING GEAR TYPE", ATTRIBUTE, .parts = {UP_TO('X', 10, 0)}, .needs = "01,02"),
    AI("7010", "PROD METHOD", ATTRIBUTE, .parts = {UP_TO('X', 2, 0)}, .needs = "01,02,03"),
    AI("7011", "TEST BY DATE", ATTRIBUTE, .parts = {IS('N', 6, YYMMDD), MAY_BE('N', 4, HHMI)}, .needs = "01,02,03"),
    AI("7020", "REFURB LOT", ATTRIBUTE, .parts = {UP_TO('X', 20, 0)}, .needs = "01+416,03+416,8006+416"),
    AI("7021", "FUNC STAT", ATTRIBUTE, .parts = {UP_TO('X', 20, 0)}, .needs = "01,03,8006"),
    AI("7022", "REV STAT", ATTRIBUTE, .parts = {UP_TO('X', 20, 0)}, .needs = "01+7021,03+7021,8006+7021"),
    AI("7023", "GIAI - ASSEMBLY", ATTRIBUTE, .parts = {UP_TO('X', 30, PREFIX1)}),
    AI("7030", "PROCESSOR", ATTRIBUTE, .parts = {IS('N', 3, COUNTRY_999), UP_TO('X', 27, 0)}, .needs = "01,02"),
    AI("7031", "PROCESSOR", ATTRIBUTE, .parts = {IS('N', 3, COUNTRY_999), UP_TO('X', 27, 0)}, .needs = "01,02"),
    AI("7032", "PROCESSOR", ATTRIBUTE, .parts = {IS('N', 3, COUNTRY_999), UP_TO('X', 27, 0)}, .needs = "01,02"),
    AI("7033", "PROCESSOR", ATTRIBUTE, .parts = {IS('N', 3, COUNTRY_999), UP_TO('X', 27, 0)}, .needs = "01,02"),
    AI("7034", "PROCESSOR", ATTRIBUTE, .parts = {IS('N', 3, COUNTRY_999), UP_TO('X', 27, 0)}, .needs = "01,02"),
    AI("7035", "PROCESSOR", ATTRIBUTE, .parts = {IS('N', 3, COUNTRY_999), UP_TO('X', 27, 0)}, .needs = "01,02"),
    AI("7036", "PROCESSOR", ATTRIBUTE, .parts = {IS('N', 3, COUNTRY_999), UP_TO('X', 27, 0)}, .needs = "01,02"),
    AI("7037", "PROCESSOR", ATTRIBUTE, .parts = {IS('N', 3, COUNTRY_999), UP_TO('X', 27, 0)}, .needs = "01,02"),
    AI("7038", "PROCESSOR", ATTRIBUTE, .parts = {IS('N', 3, COUNTRY_999), UP_TO('X', 27, 0)}, .needs = "01,02"),
    AI("7039", "PROCESSOR", ATTRIBUTE, .parts = {IS('N', 3, COUNTRY_999), UP_TO('X', 27, 0)}, .needs = "01,02"),
    AI("7040", "UIC+EXT", 0, .parts = {IS('N', 1, 0), IS('X', 1, 0), IS('X', 1, 0), IS('X', 1, IMPORTER)}),
    AI("7041", "UFRGT UNIT TYPE", 0, .parts = {UP_TO('X', 4, PACKAGE)}, .needs = "00"),
    AI("710", "NHRN PZN", ATTRIBUTE, .parts = {UP_TO('X', 20, 0)}, .needs = "01"),
    AI("711", "NHRN CIP", ATTRIBUTE, .parts = {UP_TO('X', 20, 0)}, .needs = "01"),
    AI("712", "NHRN CN", ATTRIBUTE, .parts = {UP_TO('X', 20, 0)}, .needs = "01"),
    AI("713", "NHRN DRN", ATTRIBUTE, .parts = {UP_TO('X', 20, 0)}, .needs = "01"),
    AI("714", "NHRN AIM", ATTRIBUTE, .parts = {UP_TO('X', 20, 0)}, .needs = "01"),
    AI("715", "NHRN NDC", ATTRIBUTE, .parts = {UP_TO('X', 20, 0)}, .needs = "01"),
    AI("716", "NHRN AIC", ATTRIBUTE, .parts = {UP_TO('X', 20, 0)}, .needs = "01"),
    AI("717", "NHRN SRN", ATTRIBUTE, .parts = {UP_TO('X', 20, 0)}, .needs = "01"),
    AI("7230", "CERT", ATTRIBUTE, .parts = {IS('X', 2, 0), UP_TO('X', 28, 0)}, .needs = "01,8004"),
    AI("7231", "CERT", ATTRIBUTE, .parts = {IS('X', 2, 0), UP_TO('X', 28, 0)}, .needs = "01,8004"),
    AI("7232", "CERT", ATTRIBUTE, .parts = {IS('X', 2, 0), UP_TO('X', 28, 0)}, .needs = "01,8004"),
    AI("7233", "CERT", ATTRIBUTE, .parts = {IS('X', 2, 0), UP_TO('X', 28, 0)}, .needs = "01,8004"),
    AI("7234", "CERT", ATTRIBUTE, .parts = {IS('X', 2, 0), UP_TO('X', 28, 0)}, .needs = "01,8004"),
    AI("7235", "CERT", ATTRIBUTE, .parts = {IS('X', 2, 0), UP_TO('X', 28, 0)}, .needs = "01,8004"),
    AI("7236", "CERT", ATTRIBUTE, .parts = {IS('X', 2, 0), UP_TO('X', 28, 0)}, .needs = "01,8004"),
    AI("7237", "CERT", ATTRIBUTE, .parts = {IS('X', 2, 0), UP_TO('X', 28, 0)}, .needs = "01,8004"),
    AI("7238", "CERT", ATTRIBUTE, .parts = {IS('X', 2, 0), UP_TO('X', 28, 0)}, .needs = "01,8004"),
    AI("7239", "CERT", ATTRIBUTE, .parts = {IS('X', 2, 0), UP_TO('X', 28, 0)}, .needs = "01,8004"),
    AI("7240", "PROTOCOL", ATTRIBUTE, .parts = {UP_TO('X', 20, 0)}, .needs = "01,8006", .excludes = "03"),
    AI("7241", "AIDC MEDIA TYPE", ATTRIBUTE, .parts = {IS('N', 2, MEDIA)}, .needs = "8017,8018"),
    AI("7242", "VCN", ATTRIBUTE, .parts = {UP_TO('X', 25, 0)}, .needs = "8017,8018"),
    AI("7250", "DOB", ATTRIBUTE, .parts = {IS('N', 8, YYYYMMDD)}, .needs = "8018", .excludes = "7251"),
    AI("7251", "DOB TIME", ATTRIBUTE, .parts = {IS('N', 8, YYYYMMDD), IS('N', 4, HHMI)}, .needs = "8018",
       .excludes = "7250"),
    AI("7252", "BIO SEX", ATTRIBUTE, .parts = {IS('N', 1, SEX)}, .needs = "8018"),
    AI("7253", "FAMILY NAME", ATTRIBUTE, .parts = {UP_TO('X', 40, PERCENT)}, .needs = "8017,8018",
       .excludes = "7256,7259"),
    AI("7254", "GIVEN NAME", ATTRIBUTE, .parts = {UP_TO('X', 40, PERCENT)}, .needs = "8017,8018",
       .excludes = "7256,7259"),
    AI("7255", "SUFFIX", ATTRIBUTE, .parts = {UP_TO('X', 10, 0)}, .needs = "8017,8018", .excludes = "7256,7259"),
    AI("7256", "FULL NAME", ATTRIBUTE, .parts = {UP_TO('X', 90, PERCENT)}, .needs = "8017,8018"),
    AI("7257", "PERSON ADDR", ATTRIBUTE, .parts = {UP_TO('X', 70, PERCENT)}, .needs = "8018"),
    AI("7258", "BIRTH SEQUENCE", ATTRIBUTE, .parts = {IS('X', 3, N_OF_M)}, .needs = "8018+7259"),
    AI("7259", "BABY", ATTRIBUTE, .parts = {UP_TO('X', 40, PERCENT)}, .needs = "8018", .excludes = "7256"),
    AI("8001", "DIMENSIONS", ATTRIBUTE,
       .parts = {IS('N', 4, NONZERO), IS('N', 5, NONZERO), IS('N', 3, NONZERO), IS('N', 1, WINDING), IS('N', 1, 0)},
       .needs = "01"),
    AI("8002", "CMT No.", ATTRIBUTE, .parts = {UP_TO('X', 20, 0)}),
    AI("8003", "GRAI", ATTRIBUTE, .parts = {IS('N', 1, ZERO), IS('N', 13, CSUM, PREFIX1), MAY_BE_UP_TO('X', 16, 0)},
       .qualifiers = ""),
    AI("8004", "GIAI", ATTRIBUTE, .parts = {UP_TO('X', 30, PREFIX1)}, .qualifiers = "7040"),
    AI("8005", "PRICE PER UNIT", ATTRIBUTE, .parts = {IS('N', 6, 0)}, .needs = "01,02"),
    AI("8006", "ITIP", ATTRIBUTE, .parts = {IS('N', 14, CSUM, PREFIX2), IS('N', 4, PIECE)}, .excludes = "01,03,37",
       .qualifiers = "22,10,21"),
    AI("8007", "IBAN", ATTRIBUTE, .parts = {UP_TO('X', 34, IBAN)}, .needs = "415"),
    AI("8008", "PROD TIME", ATTRIBUTE,
       .parts = {IS('N', 6, YYMMDD), IS('N', 2, HH), MAY_BE('N', 2, MI), MAY_BE('N', 2, SS)}, .needs = "01,02,03"),
    AI("8009", "OPTSEN", ATTRIBUTE, .parts = {UP_TO('X', 50, 0)}, .needs = "00,01,03"),
    AI("8010", "CPID", ATTRIBUTE, .parts = {UP_TO('Y', 30, PREFIX1)}, .qualifiers = "8011"),
    AI("8011", "CPID SERIAL", 0, .parts = {UP_TO('N', 12, NO_ZERO_PREFIX)}, .needs = "8010"),
    AI("8012", "VERSION", ATTRIBUTE, .parts = {UP_TO('X', 20, 0)}, .needs = "01,03,8006"),
    AI("8013", "GMN", ATTRIBUTE, .parts = {UP_TO('X', 25, CSUM_ALPHA, PREFIX1)}, .qualifiers = ""),
    AI("8014", "MUDI", 0, .parts = {UP_TO('X', 25, CSUM_ALPHA, PREFIX1, HAS_NON_DIGIT)}, .needs = "01"),
    AI("8017", "GSRN - PROVIDER", ATTRIBUTE, .parts = {IS('N', 18, CSUM, PREFIX1)}, .excludes = "8018",
       .qualifiers = "8019"),
    AI("8018", "GSRN - RECIPIENT", ATTRIBUTE, .parts = {IS('N', 18, CSUM, PREFIX1)}, .excludes = "8017",
       .qualifiers = "8019"),
    AI("8019", "SRIN", 0, .parts = {UP_TO('N', 10, 0)}, .needs = "8017,8018"),
    AI("8020", "REF No.", 0, .parts = {UP_TO('X', 25, 0)}, .needs = "415"),
    AI("8026", "ITIP CONTENT", ATTRIBUTE, .parts = {IS('N', 14, CSUM, PREFIX2), IS('N', 4, PIECE)}, .needs = "37",
       .excludes = "02,03,8006"),
    AI("8030", "DIGSIG", ATTRIBUTE, .parts = {UP_TO('Z', 90, 0)},
       .needs = "00,01+21,03+21,253,255,8003,8004,8006+21,8010+8011,8017,8018"),
    AI("8040", "IMEI", 0, .parts = {IS('N', 15, 0)}, .needs = "01+21"),
    AI("8041", "IMEI2", 0, .parts = {IS('N', 15, 0)}, .needs = "01+21+8040"),
    AI("8042", "ESIM", 0, .parts = {IS('N', 32, 0)}, .needs = "01+21+8040"),
    AI("8043", "PSIM", 0, .parts = {IS('N', 18, 0), MAY_BE_UP_TO('N', 2, 0)}, .needs = "01+21+8040"),
    AI("8110", "", ATTRIBUTE, .parts = {UP_TO('X', 70, COUPON)}),
    AI("8111", "POINTS", ATTRIBUTE, .parts = {IS('N', 4, 0)}, .needs = "255"),
    AI("8112", "", ATTRIBUTE, .parts = {UP_TO('X', 70, COUPON_OFFER)}),
    AI("8200", "PRODUCT URL", 0, .parts = {UP_TO('X', 70, 0)}, .needs = "01"),
    AI("90", "INTERNAL", ATTRIBUTE, .parts = {UP_TO('X', 30, 0)}),
    AIS("91", "99", "INTERNAL", ATTRIBUTE, .parts = {UP_TO('X', 90, 0)}),
};

const struct pl_gs1_identifier *pl_gs1_identifiers(size_t *count)
{
    *count = sizeof table / sizeof *table;
    return table;
}

const struct pl_gs1_identifier *pl_gs1_find(struct pl_slice digits)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const struct pl_gs1_identifier *row = &table[i];
        if (strlen(row->first) == digits.len && digits.len != 0 && memcmp(digits.ptr, row->first, digits.len) >= 0 &&
            memcmp(digits.ptr, row->last, digits.len) <= 0)
            return row;
    }
    return NULL;
}

const struct pl_gs1_identifier *pl_gs1_find_prefix(struct pl_slice digits, size_t *length)
{
    // No identifier is the beginning of another, so the first that fits is the only one.
    for (size_t n = 2; n <= 4 && n <= digits.len; n++) {
        const struct pl_gs1_identifier *row = pl_gs1_find(pl_slice_sub(digits, 0, n));
        if (row) {
            *length = n;
            return row;
        }
    }
    return NULL;
}

bool pl_gs1_matches(struct pl_slice pattern, const char *ai)
{
    if (pattern.len != strlen(ai))
        return false;
    for (size_t i = 0; i < pattern.len; i++)
        if (pattern.ptr[i] != 'n' && pattern.ptr[i] != (uint8_t)ai[i])
            return false;
    return true;
}
