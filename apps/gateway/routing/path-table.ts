/**
 * Finds what is declared for a path. Patterns consist of literal segments and `:parameters`; a literal wins over a parameter, unless the rest of the
 * path then matches nothing. Letter case and one trailing slash do not matter.
 */
export class PathTable<T> {
  private readonly root: Node<T> = newNode();

  /**
   * Returns the value of the pattern, created at its first declaration. Patterns that differ only in letter case, a trailing slash or the names of
   * parameters share a value.
   */
  declare(pattern: string, create: () => T): T {
    let node = this.root;
    for (const segment of segmentsOf(pattern)) {
      if (segment.startsWith(':')) node = node.parameter ??= newNode();
      else {
        const key = segment.toLowerCase();
        const child = node.literals.get(key) ?? newNode<T>();
        node.literals.set(key, child);
        node = child;
      }
    }
    return (node.value ??= create());
  }

  match(path: string): PathMatch<T> | undefined {
    return search(this.root, segmentsOf(path), 0, []);
  }
}

interface PathMatch<T> {
  value: T;
  /** In the order of the path, not percent-decoded. */
  parameters: string[];
}

interface Node<T> {
  literals: Map<string, Node<T>>;
  parameter?: Node<T>;
  value?: T;
}

function newNode<T>(): Node<T> {
  return { literals: new Map() };
}

function segmentsOf(path: string): string[] {
  const trimmed = path.replace(/^\//, '').replace(/\/$/, '');
  return trimmed === '' ? [] : trimmed.split('/');
}

function search<T>(
  node: Node<T>,
  segments: string[],
  depth: number,
  parameters: string[],
): PathMatch<T> | undefined {
  const segment = segments[depth];
  if (segment === undefined) return node.value === undefined ? undefined : { value: node.value, parameters };
  const literal = node.literals.get(segment.toLowerCase());
  const found = literal && search(literal, segments, depth + 1, parameters);
  if (found) return found;
  if (!node.parameter || segment === '') return undefined;
  return search(node.parameter, segments, depth + 1, [...parameters, segment]);
}
