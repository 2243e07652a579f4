ROW(INK_SHARE, double, ink_share, .name = "inkShare", .aliases = "ink", .option = "ink-share", .argument = "P",
    .kind = KIND_NUMBER, .group = GROUP_DRAWING, .least = 10, .most = 100, DEFAULT(100),
    .sentence = "Share of the dots that are printed, in percent.")
ROW(FOLD_AFTER, uint32_t, fold_after, .name = "foldAfter", .option = "fold-after", .argument = "N", .kind = KIND_WHOLE,
    .group = GROUP_SHEETS, .least = 1, .most = 9, .scope = SCOPE_PDFS, DEFAULT(1), .sentence = "Pages before a fold.")
