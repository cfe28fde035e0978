import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { invoiceFileName } from '#libs/file-storage';
import { StackFailure } from '../../stack/failure.js';
import { readSettings } from '../../stack/settings.js';
import { storagesOf } from '../../stack/storages.js';
import { OfficialRules } from './official-rules.js';
import { attachedXml } from './pdf-file.js';

const usage = `Usage: npm run invoices:validate -- --rules FILE [--folder DIR | files]

Checks the e-invoices inside PDF files with the official rules of EN 16931 for the syntax CII (EN16931-CII-validation.xslt, which the
European Commission publishes at https://github.com/ConnectingEurope/eInvoicing-EN16931/releases). Without a folder or files it checks all
invoices of the site on this machine (DATA_DIR). If IMAGES_DIR (the folder of all files) is set, or IMAGES_S3_URL with its access keys, it checks
the invoices that are stored there.`;

interface CommandContext {
  root: string;
  env: NodeJS.ProcessEnv;
  print(line: string): void;
  printError(line: string): void;
}

interface PdfFile {
  name: string;
  pdf: Buffer;
}

/** Returns the exit code: 0 only if there are invoices and all are valid. */
export async function run(args: string[], { root, env, print, printError }: CommandContext): Promise<number> {
  const chosen = argumentsOf(args);
  if (!chosen) {
    printError(usage);
    return 1;
  }
  try {
    const { rulesFile, folder, files } = chosen;
    const pdfs = files.length > 0 ? read(files) : folder ? readFolder(folder) : readStorage(root, env);
    const rules = await OfficialRules.load(rulesFile);
    let [checked, wrong] = [0, 0];
    for await (const { name, pdf } of pdfs) {
      const { line, isValid } = outcomeOf(pdf, rules);
      print(`${name}  ${line}`);
      checked += 1;
      if (!isValid) wrong += 1;
    }
    print(checked === 0 ? 'There are no invoices to check.' : `${checked} checked, ${wrong} not valid.`);
    return checked > 0 && wrong === 0 ? 0 : 1;
  } catch (error) {
    if (!(error instanceof StackFailure) && (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    printError((error as Error).message);
    return 1;
  }
}

function argumentsOf(args: string[]) {
  try {
    const options = { rules: { type: 'string' }, folder: { type: 'string' } } as const;
    const { values, positionals: files } = parseArgs({ args, options, allowPositionals: true });
    const { rules: rulesFile, folder } = values;
    return rulesFile === undefined || (folder !== undefined && files.length > 0)
      ? undefined
      : { rulesFile, folder, files };
  } catch {
    return undefined;
  }
}

interface Outcome {
  line: string;
  isValid: boolean;
}

function outcomeOf(pdf: Buffer, rules: OfficialRules): Outcome {
  try {
    return checkPdf(pdf, rules);
  } catch (error) {
    // A damaged or foreign file must not end the check of the others.
    return { line: `cannot be read: ${(error as Error).message}`, isValid: false };
  }
}

function checkPdf(pdf: Buffer, rules: OfficialRules): Outcome {
  const xml = attachedXml(pdf);
  if (xml === undefined) return { line: 'contains no e-invoice', isValid: false };
  const { appliedRules, findings } = rules.check(xml);
  const number = /<rsm:ExchangedDocument>\s*<ram:ID>([^<]*)</.exec(xml)?.[1] ?? '';
  if (appliedRules === 0)
    return { line: `${number} is not an e-invoice that the rules cover`, isValid: false };
  if (findings.length === 0)
    return { line: `${number} is valid (rules applied: ${appliedRules})`, isValid: true };
  return { line: [number, ...findings.map(({ id, text }) => text || id)].join('\n    '), isValid: false };
}

async function* read(files: readonly string[]): AsyncGenerator<PdfFile> {
  for (const file of files) yield { name: basename(file), pdf: await readFile(file) };
}

async function* readFolder(folder: string): AsyncGenerator<PdfFile> {
  const names = await readdir(folder, { recursive: true });
  yield* read(
    names
      .filter((name) => name.endsWith('.pdf'))
      .sort()
      .map((name) => join(folder, name)),
  );
}

async function* readStorage(root: string, env: NodeJS.ProcessEnv): AsyncGenerator<PdfFile> {
  const { invoices } = storagesOf(readSettings(root, env));
  for await (const { id } of invoices.listEntries()) {
    const pdf = await invoices.findBytes(id, invoiceFileName);
    if (pdf) yield { name: id, pdf };
  }
}
