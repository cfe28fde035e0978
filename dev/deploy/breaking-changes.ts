/**
 * Describes the statements in a migration that could break the previous version of the code while it still runs. `ALTER TABLE` and `CREATE INDEX` are
 * always allowed for tables that the migration itself creates.
 */
export function breakingChanges(queries: readonly string[]): string[] {
  // A query may contain several statements.
  const statements = queries
    .flatMap((query) => withoutComments(query).split(';'))
    .filter((sql) => sql.trim() !== '');
  const createdHere = new Set(
    statements.flatMap((sql) => [...sql.matchAll(createdTable)].map((match) => match[1]!)),
  );
  return statements.flatMap((sql) => complaintsAbout(sql, createdHere));
}

const createdTable = /\bCREATE TABLE (?:IF NOT EXISTS )?"?(\w+)"?/gi;
const changedTable = /\b(?:ALTER TABLE|INDEX (?:IF NOT EXISTS )?\w+ ON)(?: ONLY)?(?: IF EXISTS)? "?(\w+)"?/i;

const rules: [pattern: RegExp, complaint: string][] = [
  [
    /\bDROP (?:TABLE|COLUMN|VIEW|MATERIALIZED VIEW|TYPE|SCHEMA|SEQUENCE|FUNCTION|TRIGGER)\b/i,
    'drops something',
  ],
  [/\bDROP CONSTRAINT\b/i, 'drops a constraint'],
  [/\bDROP (?:DEFAULT|IDENTITY|EXPRESSION)\b/i, 'removes a default'],
  [/\bTRUNCATE\b/i, 'empties a table'],
  [/\bRENAME\b/i, 'renames something'],
  [/\bALTER (?:COLUMN )?"?\w+"? (?:SET DATA )?TYPE\b/i, 'changes the type of a column'],
  [/\bSET NOT NULL\b/i, 'requires a value that was optional'],
  [/\bADD CONSTRAINT\b|\bADD (?:CHECK|UNIQUE|PRIMARY KEY|FOREIGN KEY|EXCLUDE)\b/i, 'adds a constraint'],
  [/\bCREATE UNIQUE INDEX\b/i, 'forbids duplicates that were allowed'],
  [/\bREVOKE\b/i, 'revokes a right'],
];

function complaintsAbout(sql: string, createdHere: ReadonlySet<string>): string[] {
  const table = changedTable.exec(sql)?.[1];
  if (table !== undefined && createdHere.has(table)) return [];
  const complaints = rules.filter(([pattern]) => pattern.test(sql)).map(([, complaint]) => complaint);
  if (/\bALTER TABLE\b/i.test(sql) && addsRequiredColumn(sql))
    complaints.push('adds a column that needs a value');
  return complaints.map((complaint) => `${complaint}: ${sql}`);
}

/** Inserts of the previous version would fail if a new column is `NOT NULL` and gets no value by itself. */
function addsRequiredColumn(sql: string): boolean {
  return sql
    .split(/\bADD (?:COLUMN )?(?!CONSTRAINT\b)/i)
    .slice(1)
    .some((column) => /\bNOT NULL\b/i.test(column) && !/\b(?:DEFAULT|GENERATED)\b/i.test(column));
}

function withoutComments(sql: string): string {
  return sql
    .replace(/--.*/g, '')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\s+/g, ' ')
    .trim();
}
