import { publicPageNames } from '#libs/contracts';
import { choice, longText, optional, text } from '../field.js';
import { defineCollection } from '../section.js';

/** What search engines and link previews show of a page. Without a record, or a value, the page's own content says it. */
export const pageTitle = defineCollection({
  name: 'pageTitle',
  labels: { one: 'page title', many: 'page titles' },
  shownOn: publicPageNames,
  fields: {
    page: choice('Page', publicPageNames, {
      unique: true,
      help: 'One entry for each page. Without one, or with empty fields, the page’s own content speaks for it.',
    }),
    title: optional(
      text('Title', {
        advisedLength: 60,
        help: 'The heading of the search result and of the browser’s tab, as typed. Empty: the page’s heading and the site’s name.',
      }),
    ),
    description: optional(
      longText('Description', {
        advisedLength: 160,
        help: 'The lines under the heading of the search result. Empty: the first lines of the page.',
      }),
    ),
  },
  routes: {
    list: '/page-titles',
    item: '/page-title/:id',
    create: '/add-page-title',
    update: '/page-title/:id',
  },
  notices: { created: 'Page Title is Added', updated: 'Page Title is Updated' },
  limit: publicPageNames.length,
});
