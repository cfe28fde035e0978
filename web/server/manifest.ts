/** Vite's `.vite/manifest.json` of the client build: the built files by the path of their source file, or by a name for a shared chunk. */
export interface Manifest {
  [source: string]: { file: string; css?: string[]; imports?: string[] };
}

export interface ClientFiles {
  /** Starts the application after the first paint. */
  boot: string;
  /** First the application and its imports, then the page's route modules and theirs. */
  modules: string[];
  styles: string[];
  font: string;
}

const bootSource = 'src/boot.ts';
const applicationSource = 'src/entry-client.tsx';
const fontSource = 'src/styles/fonts/bricolage-grotesque-basic.woff2';

/** `routeSources`: the source files of the page's route modules (`*.route.tsx`). Style sheets are in the order in which they must apply. */
export function clientFilesOf(manifest: Manifest, routeSources: readonly string[]): ClientFiles {
  const scripts = new Set<string>();
  const styles = new Set<string>();
  const addChunk = (source: string) => {
    const chunk = manifest[source];
    if (!chunk || scripts.has(chunk.file)) return;
    scripts.add(chunk.file);
    chunk.imports?.forEach(addChunk);
    chunk.css?.forEach((file) => styles.add(file));
  };
  [applicationSource, ...routeSources].forEach(addChunk);
  const address = (file: string) => `/${file}`;
  const builtFile = (source: string) => {
    const file = manifest[source]?.file;
    if (!file)
      throw new Error(`The client build has no ${source}. Build the client before the renderer starts.`);
    return address(file);
  };
  return {
    boot: builtFile(bootSource),
    modules: [...scripts].map(address),
    styles: [...styles].map(address),
    font: builtFile(fontSource),
  };
}
