// Module hooks for specs, in addition to those of TypeScript.
const globals = new URL('./globals.mjs', import.meta.url).href;

export async function resolve(specifier, context, next) {
  // The package itself only throws an error: within jest's own module registry, it is replaced as well.
  if (specifier === '@jest/globals') return { url: globals, shortCircuit: true };
  return next(specifier, context);
}

export async function load(url, context, next) {
  // Styles and drawings belong to Vite; a test that renders a page needs none.
  if (/\.(css|svg)$/.test(url)) return { format: 'module', source: "export default '';", shortCircuit: true };
  return next(url, context);
}
