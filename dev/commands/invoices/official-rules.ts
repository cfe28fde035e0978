import { execFile } from 'node:child_process';
import { access, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import SaxonJS from 'saxon-js';

export interface Verdict {
  /** How many rules applied. If none did, the file is not an e-invoice. */
  appliedRules: number;
  findings: { id: string; text: string }[];
}

/** The official rules of EN 16931 for the syntax CII, a stylesheet (XSLT) of the European Commission. */
export class OfficialRules {
  private constructor(private readonly stylesheet: object) {}

  /** Takes some seconds. Rejects with ENOENT if there is no such file. */
  static async load(file: string): Promise<OfficialRules> {
    await access(file);
    const folder = await mkdtemp(join(tmpdir(), 'invoice-rules-'));
    try {
      const compiled = join(folder, 'rules.json');
      const compiler = createRequire(import.meta.url).resolve('xslt3/xslt3.js');
      const options = [`-xsl:${file}`, `-export:${compiled}`, '-nogo'];
      await promisify(execFile)(process.execPath, [compiler, ...options]);
      return new OfficialRules(JSON.parse(await readFile(compiled, 'utf8')) as object);
    } finally {
      await rm(folder, { recursive: true });
    }
  }

  check(xml: string): Verdict {
    const { principalResult } = SaxonJS.transform({
      stylesheetInternal: this.stylesheet,
      sourceText: xml,
      destination: 'serialized',
    });
    const failedAssertion = /<svrl:failed-assert.*?<\/svrl:failed-assert>/gs;
    return {
      appliedRules: principalResult.split('<svrl:fired-rule').length - 1,
      findings: (principalResult.match(failedAssertion) ?? []).map((finding) => ({
        id: /\sid="([^"]*)"/.exec(finding)?.[1] ?? '',
        text: /<svrl:text[^>]*>(.*?)<\/svrl:text>/s.exec(finding)?.[1]?.trim() ?? '',
      })),
    };
  }
}
