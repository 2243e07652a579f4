ROW(INK_SHARE, double, ink_share, .name = "inkShare", .aliases = "ink", .option = "ink-share", .argument = "P",
    .kind = KIND_NUMBER, .group = GROUP_DRAWING, .least = 10, .most = 100, DEFAULT(100),
    .sentence = "Share of the dots that are printed, in percent.")
