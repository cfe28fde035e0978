import { defineCollection, text } from '#libs/content-model';

/** A section for specs. */
export const section = defineCollection({
  name: 'question',
  labels: { one: 'question', many: 'questions' },
  fields: { title: text('Question') },
  routes: { list: '/questions', one: '/question/:id', create: '/add-question', update: '/question/:id' },
  toasts: { created: 'Question Added', updated: 'Question Updated' },
});
