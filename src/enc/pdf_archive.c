// PDF/A-2b: XMP metadata and an output intent with a profile of grey.
#include "enc/pdf_archive.h"

#define PROFILE_MOST 512
#define WHITE_X 0xF6D6 // D50, in 1/65536
#define WHITE_Y 0x10000
#define WHITE_Z 0xD32D
#define GAMMA_22 0x0233 // 2.2, in 1/256

static void put_xml(struct pl_buf *out, const char *text)
{
    for (const char *p = text; *p; p++) {
        if (*p == '&' || *p == '<')
            pl_buf_append_cstr(out, *p == '&' ? "&amp;" : "&lt;");
        else
            pl_buf_append_byte(out, (uint8_t)*p);
    }
}

static void put_metadata(struct pl_buf *out, const char *title)
{
    pl_buf_append_cstr(out, "<?xpacket begin=\"\xEF\xBB\xBF\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>\n"
                            "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\">\n"
                            "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">\n"
                            "<rdf:Description rdf:about=\"\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\""
                            " xmlns:pdf=\"http://ns.adobe.com/pdf/1.3/\" xmlns:xmp=\"http://ns.adobe.com/xap/1.0/\""
                            " xmlns:pdfaid=\"http://www.aiim.org/pdfa/ns/id/\">\n"
                            "<dc:title><rdf:Alt><rdf:li xml:lang=\"x-default\">");
    put_xml(out, title);
    pl_buf_append_cstr(out, "</rdf:li></rdf:Alt></dc:title>\n"
                            "<pdf:Producer>Platen</pdf:Producer>\n"
                            "<xmp:CreatorTool>Platen</xmp:CreatorTool>\n"
                            "<pdfaid:part>2</pdfaid:part>\n"
                            "<pdfaid:conformance>B</pdfaid:conformance>\n"
                            "</rdf:Description>\n</rdf:RDF>\n</x:xmpmeta>\n<?xpacket end=\"r\"?>");
}

// An ICC profile (version 2.1): a display of one channel, gamma 2.2, white of D50.
static void put_profile(struct pl_buf *out)
{
    static const char COPYRIGHT[] = "No copyright, use freely", NAME[] = "Grey, gamma 2.2";
    struct pl_buf data;
    uint32_t offsets[5];
    pl_buf_init(&data, PROFILE_MOST);
    // desc: the name, then empty forms of it in Unicode and in Macintosh script.
    pl_buf_append(&data, "desc\0\0\0", 8);
    pl_buf_append_be32(&data, sizeof NAME);
    pl_buf_append(&data, NAME, sizeof NAME);
    for (int i = 0; i < 4 + 4 + 2 + 1 + 67; i++)
        pl_buf_append_byte(&data, 0);
    while (data.len % 4)
        pl_buf_append_byte(&data, 0);
    offsets[0] = 0;
    offsets[1] = (uint32_t)data.len;
    pl_buf_append(&data, "text\0\0\0", 8);
    pl_buf_append(&data, COPYRIGHT, sizeof COPYRIGHT);
    while (data.len % 4)
        pl_buf_append_byte(&data, 0);
    offsets[2] = (uint32_t)data.len;
    pl_buf_append(&data, "XYZ \0\0\0", 8);
    pl_buf_append_be32(&data, WHITE_X);
    pl_buf_append_be32(&data, WHITE_Y);
    pl_buf_append_be32(&data, WHITE_Z);
    offsets[3] = (uint32_t)data.len;
    pl_buf_append(&data, "curv\0\0\0", 8);
    pl_buf_append_be32(&data, 1);
    pl_buf_append_be32(&data, GAMMA_22 << 16); // two bytes, and two to fill up
    offsets[4] = (uint32_t)data.len;
    const uint32_t head = 128 + 4 + 4 * 12;
    size_t start = out->len;
    pl_buf_append_be32(out, head + offsets[4]);
    pl_buf_append_be32(out, 0);
    pl_buf_append_be32(out, 0x02100000);
    pl_buf_append(out, "mntrGRAYXYZ ", 12);
    for (int i = 0; i < 12; i++)
        pl_buf_append_byte(out, (uint8_t) "\x07\xEA\0\x01\0\x01\0\0\0\0\0\0"[i]); // 1 January 2026
    pl_buf_append(out, "acsp", 4);
    for (int i = 0; i < 28; i++)
        pl_buf_append_byte(out, 0);
    pl_buf_append_be32(out, WHITE_X);
    pl_buf_append_be32(out, WHITE_Y);
    pl_buf_append_be32(out, WHITE_Z);
    while (out->len - start < 128 && !out->failed)
        pl_buf_append_byte(out, 0);
    static const char TAGS[4][5] = {"desc", "cprt", "wtpt", "kTRC"};
    pl_buf_append_be32(out, 4);
    for (int i = 0; i < 4; i++) {
        pl_buf_append(out, TAGS[i], 4);
        pl_buf_append_be32(out, head + offsets[i]);
        pl_buf_append_be32(out, offsets[i + 1] - offsets[i]);
    }
    pl_buf_append_slice(out, pl_buf_slice(&data));
    pl_buf_take_over(out, &data);
}

enum pl_errc pl_pdf_archive(struct pl_pdf_objects *o, const char *title, struct pl_buf *catalogue, struct pl_error *err)
{
    uint32_t metadata, profile;
    if (!pl_pdf_object_new(o, &metadata) || !pl_pdf_object_new(o, &profile))
        return pl_fail_memory(err);
    // Metadata is not compressed, so that programs that know no PDF find it.
    put_metadata(&o->text, title);
    PL_TRY(pl_buf_check(&o->text, err));
    pl_pdf_object_begin(o, metadata);
    pl_buf_printf(o->out, "<</Type/Metadata/Subtype/XML/Length %zu>>\nstream\n", o->text.len);
    pl_buf_append_slice(o->out, pl_buf_slice(&o->text));
    pl_buf_append_cstr(o->out, "\nendstream");
    pl_pdf_object_end(o);
    pl_buf_clear(&o->text);
    put_profile(&o->text);
    PL_TRY(pl_pdf_object_stream(o, profile, "/N 1", err));
    pl_buf_printf(catalogue,
                  "/Metadata %u 0 R/OutputIntents[<</Type/OutputIntent/S/GTS_PDFA1/OutputConditionIdentifier(Grey)"
                  "/Info(Grey, gamma 2.2)/DestOutputProfile %u 0 R>>]",
                  metadata, profile);
    return PL_OK;
}
