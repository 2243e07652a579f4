// ZPL files are bundled as text.
declare module "*.zpl" {
  const text: string;
  export default text;
}
