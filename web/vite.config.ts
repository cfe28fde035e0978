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

/** All that every page needs, in one file, which also compresses best. Other packages stay with the feature that uses them. */
const frame = {
  name: 'frame',
  test: /\/node_modules\/(react|react-dom|scheduler|react-router|react-router-dom|cookie|set-cookie-parser)\/|rolldown\/runtime|\/web\/src\/(components\/(?!FormattedText|Invitation|PasswordField)|lib\/(?!money|package-points|passkeys|load-passkey-code|second-factor|announce-session-change|link-token|invitation-token)|app\/(App|Layout|Header|Footer|ErrorBoundary|document-head|page-routes|pages|meta)\.)/,
};
/** Shared by `workspace` and the screens for signing in and for the account. Public pages need none of these files, so they are not in `frame`. */
const signIn = {
  name: 'sign-in',
  test: /\/web\/src\/(components\/PasswordField|lib\/second-factor|lib\/load-passkey-code)/,
};
/** Visitors of public pages load it only if they are signed in, for the account menu. */
const workspace = { name: 'workspace', test: /\/web\/src\/workspace\// };

/** Longer hashes would make the entry larger: it names every file that it may load, and hashes hardly compress. */
const hashedNames = {
  entryFileNames: 'assets/[name]-[hash:8].js',
  chunkFileNames: 'assets/[name]-[hash:8].js',
  assetFileNames: 'assets/[name]-[hash:8][extname]',
};

/** The entry points that react-router declares lead to its development build, which is two kilobytes larger. */
const routerAliases = [
  { find: /^react-router$/, file: 'index.mjs' },
  { find: /^react-router\/dom$/, file: 'dom-export.mjs' },
].map(({ find, file }) => ({
  find,
  replacement: fromRoot(`node_modules/react-router/dist/production/${file}`),
}));

export default defineConfig(({ isSsrBuild }) => ({
  root: here,
  logLevel: 'warn',
  resolve: { alias: routerAliases },
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
    // These browsers support light-dark() and nesting, so the build leaves both as they are.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    manifest: !isSsrBuild,
    copyPublicDir: !isSsrBuild,
    // Nothing is inlined: the content security policy allows data: addresses only for images.
    assetsInlineLimit: 0,
    // Preloads a dynamically imported file and the CSS that it needs, but no other scripts: fewer file names make the entry smaller.
    modulePreload: {
      polyfill: false,
      resolveDependencies: (file, needed) => needed.filter((one) => one === file || one.endsWith('.css')),
    },
    reportCompressedSize: false,
    rolldownOptions: {
      // boot.ts loads the application by its address, so that the two share no code.
      input: (isSsrBuild ? ['src/entry-server.tsx'] : ['src/boot.ts', 'src/entry-client.tsx']).map((file) =>
        join(here, file),
      ),
      // The server loads its code once, so one file is simplest. For the browser, groups avoid a dozen files of half a kilobyte each.
      output: isSsrBuild
        ? { codeSplitting: false, assetFileNames: hashedNames.assetFileNames }
        : { codeSplitting: { groups: [frame, signIn, workspace] }, ...hashedNames },
    },
  },
  // Bundled, so that React is the production build whatever NODE_ENV the renderer runs with.
  ssr: { noExternal: true },
  define: { 'process.env.NODE_ENV': JSON.stringify('production') },
}));

/** Resolves `#libs/<name>` to sources. They are marked as free of side effects, so that the browser gets only what it uses, and no schemas. */
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

/** Writes brotli and gzip variants of each text file of 500 bytes or more, at the highest level. */
function compressed(folder: string): Plugin {
  const textFile = /\.(js|css|svg|json|txt|webmanifest)$/;
  return {
    name: 'compressed',
    apply: 'build',
    closeBundle() {
      for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
        if (!entry.isFile() || !textFile.test(entry.name)) continue;
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

/** React is CommonJS, so each JSX element would be a call through its module object. Binding the functions to names makes the code smaller. */
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
