/** SVG path data in a 24 × 24 view box. */
export const glyphs = {
  play: 'M8 5.5v13l11-6.5z',
  twitter: 'M5 5l14 14M19 5L5 19',
  linkedin: 'M5 10v9M5 5.5v.01M10 19v-9M10 14c0-2.5 1.5-4 4-4s4 1.5 4 4v5',
  youtube: 'M5 6.5h14a2 2 0 0 1 2 2v7a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-7a2 2 0 0 1 2-2zM10.5 9.5v5l4.5-2.5z',
  facebook:
    'M14 21v-7h2.6l.5-3H14V9.2c0-1 .4-1.7 1.8-1.7H17.2V4.9A16 16 0 0 0 15 4.7c-2.4 0-4 1.4-4 4V11H8.4v3H11v7',
} as const;
