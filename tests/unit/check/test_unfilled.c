// Data that programs leave unfilled, in barcodes and in texts, beside what people write with the same signs.
#include <string.h>

#include "check/unfilled.h"
#include "unit.h"

static uint32_t wrong;

static void tells(const char *data, bool barcode, bool told)
{
    const struct pl_slice found = pl_unfilled_find(pl_slice_cstr(data), barcode);
    if ((found.len > 0) != told) {
        wrong++;
        print_message("%s %s: %.*s\n", barcode ? "barcode" : "text", data, (int)found.len, (const char *)found.ptr);
    }
}

// Of no use anywhere.
static const char *const NOWHERE[] = {
    "{{ order.id }}",
    "{{{raw}}}",
    "{{#each items}}",
    "{{> partial}}",
    "{{ item['sku'] }}",
    "{{ \"%05d\"|format(n) }}",
    "{{@index}}",
    "{{ order.id",
    "{% if x %}",
    "{# note #}",
    "$order.id",
    "${order.id!\"\"}",
    "$!{order.id}",
    "$!order.id",
    "#if($x)",
    "#foreach($i in $l)",
    "$ORDER_ID",
    "$(ORDER_ID)",
    "<#if x>",
    "<@macro/>",
    "[=order.id]",
    "@Model.Items[0].Sku",
    "@(Model.Id)",
    "@{order.id}",
    "*{order.id}",
    "[[${order.id}]]",
    "%s",
    "%1$s",
    "%05d",
    "%-10s",
    "%08.2f",
    "%{sku}",
    "%(name)s",
    "{0:D8}",
    "{order.id:>08}",
    "{ORDER_ID}",
    "{orderId}",
    "&VBELN&",
    "&VBDKA-VBELN(K)&",
    "{@Formula}",
    "{?Param}",
    "%SKU%",
    "%%SKU%%",
    "__SKU__",
    "@@SKU@@",
    "$F{sku}",
    "<%= sku %>",
    "<?= $id ?>",
    "<?php echo $id ?>",
    "<xsl:value-of select=\"id\"/>",
    "<cfoutput>",
    "#{order.id}",
    "{$order.id}",
    "[object Promise]",
    "java.lang.Object@1b6d3586",
    "com.example.Order@5e2de80c",
    "System.Data.DataRowView",
    "System.Collections.Generic.List`1[System.String]",
    "Optional.empty",
    "Optional[123456]",
    "%!d(string=abc)",
    "<function f at 0x7f3c>",
    "<Order object at 0x7f>",
    "['A123']",
    "{'id': 1}",
    "datetime.date(2026, 1, 1)",
    "#<Order:0x000>",
    "#SPILL!",
    "#####",
    "0001-01-01",
    "0000-00-00",
    "1900-01-00",
    "30.12.1899",
    "1970-01-01T00:00:00Z",
    "Invalid Date",
    "Object reference not set to an instance",
    "Traceback (most recent call)",
    "Symbol(sku)",
    "function (a) { return a; }",
    "YOUR TEXT HERE",
    "YOUR TEXT",
    "Lot: NULL",
    "Stra?e/Gr??e 5",
    "Nr.5/Stra?e",
    "e.K./Gr??e",
    "St.Gallen/M?ller",
    "YOUR TEXT_HERE",
    "ORA-01403",
    "lorem ipsum dolor",
    "caf\\u00e9",
    "caf\\xe9",
    "caf&eacute;",
    "12&#160;34",
    "1234<br>5678",
    "A%20B",
    "M%C3%BCller",
    "https%3A%2F%2Fexample.com",
    "M?ller",
    "Gr??e",
    "Stra?e 5",
    "???",
    "TODO",
    "undefined",
    "#N/A",
};

// Of no use in a barcode; a text may be about it.
static const char *const NO_BARCODE[] = {
    "{}",
    "A-{}",
    "<SKU>",
    "[ORDER_ID]",
    "[Variable]",
    "<insert sku>",
    ":order_id",
    "@order_id",
    "|SKU|",
    "!SKU!",
    "=[SKU]",
    "[@SKU]",
    "<<SKU>>",
    "##SKU##",
    "$$SKU$$",
    "\xC2\xABSKU\xC2\xBB",
    "null",
    "Null",
    "None",
    "NONE",
    "nil",
    "N/A",
    "TBD",
    "Infinity",
    "Array",
    "ERROR",
    "NO DATA",
    "NOT FOUND",
    "PLACEHOLDER",
    "CHANGEME",
    "XXXXXXXX",
    "---",
    "_____",
    "1.23E+12",
    "1.2e+15",
    "=A1",
    "=VLOOKUP(A1;B:C;2)",
    "=\"0123456\"",
    "'0123456",
    "12345678;",
    "\"12345678\"",
    "12345678\\n",
    "12345678\\r\\n",
    "map[id:1]",
    "&{1 2}",
    "b'ABC123'",
    "0xc0000140a8",
    "https://example.com/t/{id}",
    "https://example.com/t/%7B%7Bid%7D%7D",
    "https://example.com/:id/label",
    "https://example.com/t?id=null",
    "SKU-undefined",
};

// What people mean.
static const char *const SOUND[] = {
    "TODO EN UNO 3X1",
    "WHAT??? Party Game",
    "Die ??? - Folge 212",
    "Huh?!",
    "None Such",
    "Null Zucker",
    "100% Cotton",
    "3,5 % Fett",
    "12% vol.",
    "50% off",
    "20 %d",
    "Johnson & Johnson",
    "AT&T",
    "M&M's",
    "<- this way",
    "<< back",
    "<<< THIS SIDE UP >>>",
    "{A4}",
    "[x] fragile",
    "[A] [B]",
    "$5.99",
    "US$ 99",
    "#1 Dad",
    "@home",
    "info@example.com",
    "*** FRAGILE ***",
    "Name: ________",
    "E=mc2",
    "A|B",
    "f(x)",
    "10E+3",
    "1E10",
    "1970s Hits",
    "Summer of 1970",
    "01.01.1970",
    "P!nk",
    "Ke$ha",
    "\xC2\xBFQu\xC3\xA9?",
    "who? me!",
    "Lorem Cafe",
    "Error 404 T-Shirt",
    "Lot: 12",
    "Allergens: None",
    "A%B",
    "SN-000123",
    "A-{item}",
    "{SKU",
    "$HOME1",
    "A?B",
    "(12)",
    "<12>",
    "K%20",
    "_A_",
    "https://example.com/a%20b?x=%7B1%7D",
    "https://example.com/@user/post",
    "https://example.com/p?id=5&x=1",
    "YOUR TEXTILE SHOP",
    "\x80\x80\x80\x80",
    "https://example.com/p:8080/x",
    "Symbol(s)",
    "Symbol(s): see back",
    "function (manual)",
    "www.example.com/shop?item",
    "example.com/shop/en?item",
    "WIFI:T:WPA;S:net;P:pa$$w0rd{};;",
    "{\"id\":123,\"sku\":null}",
    "W000012345600",
    "=W000012345600",
    "=%5100",
    "C:\\new\\table",
    "\xC3\x83O PAULO",
    "20261231",
    "00000000",
    "5.9E+3",
    "R&D;",
};

static void marks_words_and_values(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof NOWHERE / sizeof *NOWHERE; i++) {
        tells(NOWHERE[i], true, true);
        tells(NOWHERE[i], false, true);
    }
    for (size_t i = 0; i < sizeof NO_BARCODE / sizeof *NO_BARCODE; i++)
        tells(NO_BARCODE[i], true, true);
    for (size_t i = 0; i < sizeof SOUND / sizeof *SOUND; i++) {
        tells(SOUND[i], true, false);
        tells(SOUND[i], false, false);
    }
    tells("<a><b>R&amp;D</b></a>", true, false);
    assert_int_equal(wrong, 0);
}

static void inside_of_texts(void **state)
{
    (void)state;
    for (const char *const *text = (const char *const[]){"Order {{ id }} of", "Lot: undefined", "SKU: ???", "EXP: NaT",
                                                         "Order %s of", "Total: %.2f EUR", "For &VBELN& only", NULL};
         *text; text++)
        tells(*text, false, true);
    for (const char *const *text =
             (const char *const[]){"50% off %s", "10 %d", "<<SKU>>", "null", "N/A", "NONE", "5.9E+12", "[SKU]", "-",
                                   "\xC2\xABTR\xC3\x88S BON\xC2\xBB", NULL};
         *text; text++)
        tells(*text, false, false);
    assert_int_equal(wrong, 0);
}

static void the_same_twice(void **state)
{
    (void)state;
    static const struct {
        const char *data;
        size_t length;
    } rows[] = {{"40063813339314006381333931", 13},
                {"4006381333931 4006381333931", 13},
                {"4006381333931\r\n4006381333931", 13},
                {"12341234", 0},
                {"1234567812345678", 0},
                {"4711081547110815", 8},
                {"0000000000000000", 0},
                {"4006381333931400638133393", 0},
                {"", 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(pl_unfilled_twice(pl_slice_cstr(rows[i].data)), rows[i].length);
}

// What went wrong before: each sign was compared with all of the data behind it, so that a text of 1 MB took minutes.
static void long_data_is_looked_at_once(void **state)
{
    (void)state;
    enum { LENGTH = 200000, MS_MOST = 4000 };
    static const char *const parts[] = {"?", "a:", "=", "a.@", "_", "< ", "%", ":?", "<@a"};
    static char data[LENGTH];
    const uint64_t began = unit_processor_ms();
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        const size_t length = strlen(parts[i]);
        data[0] = 'a';
        for (size_t at = 1; at < LENGTH - 1; at++)
            data[at] = parts[i][at % length];
        data[LENGTH - 1] = '1';
        for (int barcode = 0; barcode < 2; barcode++)
            assert_int_equal(pl_unfilled_find(pl_slice_make(data, LENGTH), barcode).len, 0);
    }
    assert_true(unit_processor_ms() - began < MS_MOST);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(marks_words_and_values),
        cmocka_unit_test(inside_of_texts),
        cmocka_unit_test(the_same_twice),
        cmocka_unit_test(long_data_is_looked_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
