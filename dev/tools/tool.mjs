import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import { root } from './root.mjs';

/** A tool exited with a failure. The message shows the beginning and the end of its output. */
export class ToolFailed extends Error {
  constructor(what, output) {
    const lines = output.trimEnd().split('\n');
    const shown = lines.length > 50 ? [...lines.slice(0, 25), '…', ...lines.slice(-25)] : lines;
    super(output ? `${what} failed:\n\n${shown.join('\n')}\n` : `${what} failed.`);
    this.output = output;
  }
}

/**
 * Runs a tool quietly and resolves to its output; rejects with ToolFailed if it fails. `priority` is one of `os.constants.priority`.
 * The tool is in the same process group, so Ctrl-C in a terminal stops it too.
 */
export function runTool(what, command, args, { priority, ...options } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], ...options });
    if (priority !== undefined && child.pid !== undefined) setPriority(child.pid, priority);
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => (output += text));
    child.once('error', (error) => reject(new ToolFailed(what, error.message)));
    child.once('close', (code) => (code === 0 ? resolve(output) : reject(new ToolFailed(what, output))));
  });
}
