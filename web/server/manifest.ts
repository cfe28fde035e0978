/** The part of Vite's manifest that a page needs. */
export interface Manifest {
  [source: string]: { file: string; css?: string[]; imports?: string[] };
}

/** The client's files for one page. */
export interface ClientFiles {
  /** The script that starts the application once the page is painted. */
  entry: string;
  /** Scripts that it will ask for then. */
  modules: string[];
  styles: string[];
}

const entrySource = 'src/boot.ts';
const applicationSource = 'src/entry-client.tsx';

/** The files of the entry and of the routes in use, in the order in which styles must apply. */
export function clientFiles(manifest: Manifest, routes: readonly string[]): ClientFiles {
  const scripts = new Set<string>();
  const styles = new Set<string>();
  const visit = (source: string) => {
    const chunk = manifest[source];
    if (!chunk || scripts.has(chunk.file)) return;
    scripts.add(chunk.file);
    chunk.imports?.forEach(visit);
    chunk.css?.forEach((file) => styles.add(file));
  };
  [applicationSource, ...routes].forEach(visit);
  const entry = manifest[entrySource];
  if (!entry) throw new Error(`The client build has no ${entrySource}; build it before the renderer starts.`);
  const address = (file: string) => `/${file}`;
  return {
    entry: address(entry.file),
    modules: [...scripts].filter((file) => file !== entry.file).map(address),
    styles: [...styles].map(address),
  };
}
