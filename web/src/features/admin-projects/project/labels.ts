import { projectLimits } from '#libs/contracts';

/** Separated by commas, each label once. */
export const labelsIn = (text: string): string[] => [
  ...new Set(
    text
      .split(',')
      .map((label) => label.trim())
      .filter(Boolean),
  ),
];

/** Undefined if these labels can be saved. */
export function labelsFault(labels: readonly string[]): string | undefined {
  if (labels.length > projectLimits.labels) return `A project has at most ${projectLimits.labels} labels.`;
  const long = labels.find((label) => label.length > projectLimits.labelLength);
  return long && `A label has at most ${projectLimits.labelLength} characters: ‘${long}’ is too long.`;
}
