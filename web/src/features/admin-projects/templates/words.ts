import type { QuestionKind } from '#libs/contracts';

/** In the order in which the select offers them. */
export const kindWords: Record<QuestionKind, string> = {
  short_text: 'Short text',
  long_text: 'Long text',
  url: 'Address of a site',
  choice: 'One of several options',
  choices: 'Several options',
  date: 'Date',
  file: 'Files',
};

export const hasOptions = (kind: QuestionKind): boolean => kind === 'choice' || kind === 'choices';
