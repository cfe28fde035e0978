declare module 'saxon-js' {
  const SaxonJS: {
    transform(options: { stylesheetInternal: object; sourceText: string; destination: 'serialized' }): {
      principalResult: string;
    };
  };
  export default SaxonJS;
}
