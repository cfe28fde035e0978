const globals = new URL('./globals.mjs', import.meta.url).href;

export async function resolve(specifier, context, next) {
  // The real package only throws an error. jest's own runtime replaces it as well.
  if (specifier === '@jest/globals') return { url: globals, shortCircuit: true };
  return next(specifier, context);
}

export async function load(url, context, next) {
  // Only Vite can load styles and SVG files; tests do not need them.
  if (/\.(css|svg)$/.test(url)) return { format: 'module', source: "export default '';", shortCircuit: true };
  return next(url, context);
}
