// What a first visit shows. By itself: the script of the first picture needs no other sample.
import shipping from "./shipping.zpl";
import { MM_PER_INCH } from "../model/units";

export const FIRST = { widthMm: 4 * MM_PER_INCH, heightMm: 6 * MM_PER_INCH, zpl: shipping };
