import { spawn } from 'node:child_process';
import { root } from './root.mjs';

/** A tool that was run failed. The message ends with what it said last. */
export class ToolFailed extends Error {
  constructor(what, output) {
    const tail = output.trimEnd().split('\n').slice(-40).join('\n');
    super(tail ? `${what} failed:\n\n${tail}\n` : `${what} failed.`);
  }
}

/**
 * Runs a tool quietly and gives what it wrote; rejects with ToolFailed when it fails.
 * Ctrl-C in a terminal reaches it as well, being in the same process group.
 */
export function runTool(what, command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], ...options });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => (output += text));
    child.once('error', (error) => reject(new ToolFailed(what, error.message)));
    child.once('close', (code) => (code === 0 ? resolve(output) : reject(new ToolFailed(what, output))));
  });
}
