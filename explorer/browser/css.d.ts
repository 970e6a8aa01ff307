// A style sheet's text, which the bundle finds in what Python serves.
declare module "*.css" {
  const text: string;
  export default text;
}
