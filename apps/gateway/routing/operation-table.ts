import type { Method, Operation } from '#libs/contracts';
import { PathTable } from './path-table.js';

export type OperationsAtPath = Map<Method, Operation>;

/** Throws if an operation is declared twice. */
export function tableOf(operations: readonly Operation[]): PathTable<OperationsAtPath> {
  const table = new PathTable<OperationsAtPath>();
  for (const operation of operations) {
    const atPath = table.declare(operation.path, () => new Map());
    if (atPath.has(operation.method))
      throw new Error(`${operation.method} ${operation.path} is declared twice`);
    atPath.set(operation.method, operation);
  }
  return table;
}
