/** The folder of the files: `fontFolder` of createWorkerEngine. */
export declare const fontFolder: URL;
/** The files of these names, as `addFonts` and the option `fonts` take them. */
export declare function loadFonts(names: readonly string[]): Promise<{ name: string; data: Uint8Array }[]>;
