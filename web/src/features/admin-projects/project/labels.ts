import { projectLimits } from '#libs/contracts';

/** The labels in a comma-separated text, each once. */
export const labelsIn = (text: string): string[] => [
  ...new Set(
    text
      .split(',')
      .map((label) => label.trim())
      .filter(Boolean),
  ),
];

/** Why these labels cannot be saved, in a sentence; undefined if they can. */
export function labelsFault(labels: readonly string[]): string | undefined {
  if (labels.length > projectLimits.labels) return `A project has at most ${projectLimits.labels} labels.`;
  const long = labels.find((label) => label.length > projectLimits.labelLength);
  return long && `A label has at most ${projectLimits.labelLength} characters: ‘${long}’ is too long.`;
}
