// Made by web/answers.mjs from apps/platen/docs/openapi.json: what the service answers. Values are checked where they are read.

export interface JsonResult {
  readonly ok: true;
  readonly format: "json";
  /** The language that the label code was read as. */
  readonly language: "zpl" | "epl" | "tspl" | "cpcl";
  readonly widthMm: number;
  readonly heightMm: number;
  readonly dpmm: number;
  /** Dots of the picture, after rotation. */
  readonly widthPx: number;
  readonly heightPx: number;
  readonly rotation: 0 | 90 | 180 | 270;
  readonly quality: "bitonal" | "grayscale";
  /** Pages: labels with their copies counted out, unless collapsed. */
  readonly count: number;
  readonly warnings: readonly Diagnostic[];
  /** How many more warnings there are than `warnings` holds: its text ends at 8 MiB. */
  readonly warningsLeftOut?: number;
  readonly labels: readonly JsonLabel[];
}

export interface Command {
  readonly name: string;
  readonly syntax: string;
  readonly support: "full" | "partial" | "none";
  readonly summary: string;
  /** What is missing, or why there is no effect. */
  readonly note?: string;
  readonly parameters: readonly CommandParameter[];
}

export interface ComparisonAnswer {
  readonly ok: true;
  readonly dpmm: number;
  readonly a: { readonly widthMm: number; readonly heightMm: number; readonly labels: number; readonly cut?: string; };
  readonly b: { readonly widthMm: number; readonly heightMm: number; readonly labels: number; readonly cut?: string; };
  readonly labels: readonly ComparedLabel[];
  readonly same: boolean;
  /** Fields of the request that do not exist. */
  readonly warnings: readonly Diagnostic[];
}

export interface ErrorResponse {
  readonly ok: false;
  /** What is wrong, as a sentence. */
  readonly error: string;
  /** The same for programs. */
  readonly code: string;
  /** With code `warnings`: what `strict` refused. */
  readonly warnings?: readonly Diagnostic[];
  /** How many more warnings there are than `warnings` holds: its text ends at 8 MiB. */
  readonly warningsLeftOut?: number;
}

export interface Diagnostic {
  readonly code: string;
  readonly severity: "info" | "warning" | "error";
  readonly command: string;
  readonly parameter?: number;
  readonly offset: number;
  readonly length: number;
  readonly line: number;
  readonly column: number;
  /** The label it concerns, from 0, with copies of ^PQ counted once; null where it concerns none. Each entry of labels has its own warnings as well. */
  readonly label: number | null;
  /** The element of the label that it is about, by its place in the list. */
  readonly element?: number;
  /** How many millimetres are missing, or too many, where the finding is about a length. */
  readonly missingMm?: number;
  readonly message: string;
  /** In JSON with descriptions and at /api/check, where there is exactly one: what to change in the code. */
  readonly fix?: { readonly title: string; readonly edits: readonly ({ readonly offset: number; readonly length: number; readonly text: string; })[]; };
}

export interface JsonLabel {
  readonly index: number;
  readonly copies: number;
  readonly mimeType: "image/png";
  readonly encoding: "base64";
  readonly data: string;
  readonly sizeBytes: number;
  readonly elements: readonly Element[];
  readonly warnings: readonly Diagnostic[];
}

export interface CommandParameter {
  readonly name: string;
  readonly type: "dots" | "number" | "choice" | "character" | "text" | "object" | "data";
  /** Of a choice: the characters that are allowed. */
  readonly values?: string;
  /** Of a choice: what each character means. */
  readonly meanings?: Readonly<Record<string, string>>;
  /** What the parameter sets. */
  readonly description?: string;
  readonly min?: number;
  readonly max?: number;
  /** The same in words. */
  readonly range?: string;
  readonly default?: string;
}

/** A label that is on one side only has no members beside the first four. */
export interface ComparedLabel {
  readonly index: number;
  readonly same: boolean;
  /** 0: there is no such label. */
  readonly copiesA: number;
  /** 0: there is no such label. */
  readonly copiesB: number;
  readonly a?: { readonly widthPx: number; readonly heightPx: number; readonly inkDots: number; };
  readonly b?: { readonly widthPx: number; readonly heightPx: number; readonly inkDots: number; };
  /** Dots that only a has. */
  readonly onlyA?: number;
  readonly onlyB?: number;
  /** onlyA and onlyB, of all dots with ink in a or b. */
  readonly share?: number;
  readonly areaCount?: number;
  /** Boxes around different dots, those with the most dots first. */
  readonly areas?: readonly ({ readonly x: number; readonly y: number; readonly width: number; readonly height: number; readonly dots: number; })[];
  readonly changes?: readonly ElementChange[];
  /** White paper, black in both, orange only in a, blue only in b. */
  readonly picture?: string;
}

/** A field on the label: its ink box in dots of the picture, its data, and placement checks. */
export interface Element {
  readonly type: "text" | "barcode" | "box" | "circle" | "ellipse" | "line" | "image";
  readonly command: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly rotation: 0 | 90 | 180 | 270;
  /** The field's data after ^FH, ^FE, ^FC and serial numbers; of text also after the character set and the escapes of blocks (`\\&` is a line end). */
  readonly data?: string;
  /** What it says to a human. */
  readonly text?: string;
  readonly symbology?: string;
  readonly moduleDots?: number;
  readonly moduleMm?: number;
  /** The bars with the quiet zone that the symbology asks for, in dots of the picture. */
  readonly quietZone?: { readonly x: number; readonly y: number; readonly width: number; readonly height: number; };
  /** There is no other ink in the quiet zone that the symbology requires. */
  readonly quietZoneOk?: boolean;
  /** With minModuleMm: the module is at least that wide. */
  readonly moduleOk?: boolean;
  /** With verify: the barcode was read back from the label's dots. null: it was not tried; reason says why. */
  readonly decoded?: boolean | null;
  /** What was read; of a composite its linear part. */
  readonly decodedData?: string;
  /** What was read is what the field says. null: it cannot be said, as with other character sets. */
  readonly matches?: boolean | null;
  /** Why decoded is null: a sentence, or "time" where there was none left. */
  readonly reason?: string;
  /** Linear symbols, with verify: how many of linesTried scan lines over the height of the bars give the data. */
  readonly linesRead?: number;
  readonly linesTried?: number;
  /** Damaged QR Code, Data Matrix and Aztec, with verify: a reader that does not know where the modules are reads it. */
  readonly readAsSeen?: boolean;
  /** Whether the barcode is still read with one dot more and one dot less of ink, and its direction to the paper feed. */
  readonly margin?: string;
  /** Text did not fit its block. */
  readonly clipped?: boolean;
  readonly reverse?: boolean;
  readonly insideLabel: boolean;
  /** Elements that this one overlaps, by their place in the list; 16 at most. */
  readonly overlaps: readonly number[];
  /** How many more there are. */
  readonly overlapsLeftOut?: number;
  /** Byte of the input at which the field begins. */
  readonly offset: number;
  readonly length: number;
  /** Where the data came from another field by ^FN (as with stored formats): byte of the input at which that field begins. */
  readonly dataOffset?: number;
  readonly dataLength?: number;
  readonly place?: Place;
}

export interface ElementChange {
  readonly change: "removed" | "added" | "moved" | "changed";
  /** Of moved and changed elements. look: rotation, reverse, font, thickness, dots of an image. */
  readonly differs: readonly ("type" | "data" | "size" | "place" | "look")[];
  readonly dx: number;
  readonly dy: number;
  readonly dxMm: number;
  readonly dyMm: number;
  /** null: added. */
  readonly a: ComparedElement | null;
  /** null: removed. */
  readonly b: ComparedElement | null;
}

/** The numbers that place the element: where they stand in the input and what they do, for programs that change them. Absent where nothing in the input places it, as with formats from the printer's memory. */
export interface Place {
  /** `^FO` or `^FT`; in other languages the command that draws the element, as `A` in EPL2. */
  readonly command: string;
  /** Byte of the input at which the command begins. */
  readonly offset: number;
  /** Bytes of the command with its parameters. */
  readonly length: number;
  /** The number as it was read, in dots, before ^LH, ^LS and ^LT. */
  readonly x: number;
  /** Byte of the input at which the number begins. */
  readonly xOffset: number;
  /** 0: the number is not written. */
  readonly xLength: number;
  /** Dots by which the ink box moves on the page, before its rotation, when the number grows by 1. Negative where ^PO or ^PM turns the label; 0 where ^FT has no number and the text goes on where the last one ended. */
  readonly stepX: number;
  readonly y: number;
  readonly yOffset: number;
  readonly yLength: number;
  readonly stepY: number;
  /** Dots that a unit of the numbers stands for: 1, unless ^MU says otherwise. */
  readonly unitDots: number;
}

export interface ComparedElement {
  /** Among the elements of its label. */
  readonly index: number;
  readonly type: string;
  readonly command: string;
  readonly symbology?: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly rotation: number;
  readonly data: string;
  readonly offset: number;
  readonly length: number;
}

/** An answer that is not believed yet: the names of its fields are known, their values may be anything. */
export type Unchecked<Type> = { readonly [Name in keyof Type]?: unknown };
