import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/*
 * Two builds from the checkout's root:
 *   vite build -c web/vite.config.ts          → dist/web/client (hashed assets, the manifest, the files of web/public)
 *   vite build -c web/vite.config.ts --ssr    → dist/web/ssr/entry-server.js
 * The renderer itself (web/server) is built with the services, to dist/web/renderer/main.js.
 */
const here = fileURLToPath(new URL('.', import.meta.url));
const fromRoot = (path: string) => join(here, '..', path);

/**
 * React, the router, the frame of every page and the parts that pages are made of: what all need, in one file, which also
 * compresses best. Any other package stays with the feature that uses it.
 */
const frame = {
  name: 'frame',
  test: /\/node_modules\/(react|react-dom|scheduler|react-router|react-router-dom|cookie|set-cookie-parser)\/|rolldown\/runtime|\/web\/src\/(components\/|lib\/(?!money|package-points|paragraphs|passkeys|session-changed)|app\/(App|Layout|Header|Footer|Fault|document-head|page|pages|meta)\.)/,
};
/** What the screens of signed-in people share. Visitors never load it. */
const workspace = { name: 'workspace', test: /\/web\/src\/workspace\// };

/** Every file that the first script may ask for is named in it, and hashes do not compress: eight characters are enough. */
const hashed = {
  entryFileNames: 'assets/[name]-[hash:8].js',
  chunkFileNames: 'assets/[name]-[hash:8].js',
  assetFileNames: 'assets/[name]-[hash:8][extname]',
};

/** The package's own entries lead to its development build, with warnings and traces of two kilobytes. */
const routerInProduction = [
  { find: /^react-router$/, file: 'index.mjs' },
  { find: /^react-router\/dom$/, file: 'dom-export.mjs' },
].map(({ find, file }) => ({
  find,
  replacement: fromRoot(`node_modules/react-router/dist/production/${file}`),
}));

export default defineConfig(({ isSsrBuild }) => ({
  root: here,
  logLevel: 'warn',
  resolve: { alias: routerInProduction },
  plugins: [
    react(),
    libraries(),
    ...(isSsrBuild ? [] : [boundNames()]),
    ...(isSsrBuild ? [] : [compressed(fromRoot('dist/web/client'))]),
  ],
  build: {
    outDir: fromRoot(isSsrBuild ? 'dist/web/ssr' : 'dist/web/client'),
    emptyOutDir: true,
    target: 'es2022',
    // light-dark() and nesting reach the browser as written.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    manifest: !isSsrBuild,
    copyPublicDir: !isSsrBuild,
    // A data: address would need another exception in the content security policy.
    assetsInlineLimit: 0,
    // What a page's own file imports is asked for a moment later, by itself: every name spared here is spared every visitor of the landing page.
    modulePreload: {
      polyfill: false,
      resolveDependencies: (file, needed) => needed.filter((one) => one === file || one.endsWith('.css')),
    },
    reportCompressedSize: false,
    rolldownOptions: {
      // The browser's first script finds the application by its address, so that the two share nothing.
      input: (isSsrBuild ? ['src/entry-server.tsx'] : ['src/boot.ts', 'src/entry-client.tsx']).map((file) =>
        join(here, file),
      ),
      // The server reads its code once; pages in files of their own would only be more files to lose.
      // The browser loads what all pages use in one file, not in a dozen of half a kilobyte.
      output: isSsrBuild
        ? { codeSplitting: false, assetFileNames: hashed.assetFileNames }
        : { codeSplitting: { groups: [frame, workspace] }, ...hashed },
    },
  },
  // Bundled, so that React is the production build whatever NODE_ENV the renderer runs with.
  ssr: { noExternal: true },
  define: { 'process.env.NODE_ENV': JSON.stringify('production') },
}));

/**
 * `#libs/<name>` from its source. The libraries are marked free of side effects: the browser needs a table of paths
 * from them and must not pay for the schemas beside it.
 */
function libraries(): Plugin {
  return {
    name: 'libraries',
    enforce: 'pre',
    async resolveId(source, importer) {
      const name = /^#libs\/([\w-]+)$/.exec(source)?.[1];
      if (name) return { id: fromRoot(`libs/${name}/src/index.ts`), moduleSideEffects: false };
      if (!importer?.startsWith(fromRoot('libs/'))) return null;
      const resolved = await this.resolve(source, importer, { skipSelf: true });
      return resolved && { ...resolved, moduleSideEffects: false };
    },
  };
}

/** Brotli and gzip beside each text file, made once at the highest level. */
function compressed(folder: string): Plugin {
  const text = /\.(js|css|svg|json|txt|webmanifest)$/;
  return {
    name: 'compressed',
    apply: 'build',
    closeBundle() {
      for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
        if (!entry.isFile() || !text.test(entry.name)) continue;
        const path = join(entry.parentPath, entry.name);
        const bytes = readFileSync(path);
        if (bytes.length < 500) continue;
        writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
        const quality = { [constants.BROTLI_PARAM_QUALITY]: 11 };
        writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params: quality }));
      }
    },
  };
}

/**
 * React is CommonJS, so that each use of it is a call through its module object. With its functions bound to names once, the calls are shorter, in a
 * file that is made of them.
 */
function boundNames(): Plugin {
  const bound: Record<string, { names: string[]; file: string }> = {
    'react/jsx-runtime': {
      names: ['jsx', 'jsxs', 'Fragment'],
      file: 'react/cjs/react-jsx-runtime.production.js',
    },
  };
  return {
    name: 'bound-names',
    enforce: 'pre',
    resolveId: (source) => (Object.hasOwn(bound, source) ? `\0${source}` : null),
    load(id) {
      const found = id.startsWith('\0') ? bound[id.slice(1)] : undefined;
      if (!found) return null;
      const file = JSON.stringify(fromRoot(`node_modules/${found.file}`));
      return `import module from ${file};\nexport const { ${found.names.join(', ')} } = module;`;
    },
  };
}
