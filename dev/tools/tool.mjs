import { spawn } from 'node:child_process';
import { root } from './root.mjs';

/** A tool that was run failed. The message shows what it said, at its beginning and its end. */
export class ToolFailed extends Error {
  constructor(what, output) {
    const lines = output.trimEnd().split('\n');
    const shown = lines.length > 50 ? [...lines.slice(0, 25), '…', ...lines.slice(-25)] : lines;
    super(output ? `${what} failed:\n\n${shown.join('\n')}\n` : `${what} failed.`);
    this.output = output;
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
