import { newQuestion, newStep, type QuestionValues, type TemplateValues } from './template-values.js';

const question = (values: Partial<QuestionValues>): QuestionValues => ({ ...newQuestion(), ...values });

const checklist = [
  'Check the access to Search Console and Analytics',
  'Crawl the site and check what search engines can index',
  'Review titles, headings and content',
  'Measure speed, on phones too',
  'Review internal and external links',
  'Write the report with the most important steps first',
  'Have a colleague read the report',
];

export function suggestedTemplate(): TemplateValues {
  return {
    introduction:
      'Your answers tell us where to look first. Answering takes about five minutes, and you can stop and continue at any time.',
    welcome:
      'Thanks for your order. Please answer our questions first. We’ll begin as soon as we have your answers.\n\nIf anything is unclear, just write to us here.',
    deliveryDays: '10',
    questions: [
      question({ kind: 'url', required: true, label: 'What is the address of your site?' }),
      question({
        kind: 'choice',
        required: true,
        label: 'What matters most to you right now?',
        options:
          'More visitors from search\nMore inquiries or sales\nRecovering after a drop\nA new site or a move',
      }),
      question({
        kind: 'long_text',
        required: true,
        label: 'Who are your customers, and where are they?',
        help: 'For example: owners of small restaurants in northern Germany.',
      }),
      question({
        kind: 'long_text',
        label: 'What should people search for to find you?',
        help: 'One search on each line, in the words of your customers. Leave it empty if you aren’t sure.',
      }),
      question({
        kind: 'long_text',
        label: 'Which competitors do you compare yourself with?',
        help: 'The addresses of up to five sites.',
      }),
      question({
        kind: 'choices',
        label: 'Which of these can you invite us to?',
        help: 'Please don’t write passwords here. We’ll tell you whom to invite.',
        options:
          'Google Search Console\nGoogle Analytics\nYour site’s content management system, such as WordPress',
      }),
      question({
        kind: 'date',
        label: 'When did your visitor numbers start to drop?',
        help: 'Leave it empty if they haven’t dropped.',
      }),
      question({
        kind: 'file',
        label: 'Are there earlier reports that we should know about?',
        help: 'For example a PDF of the last audit, or a list of pages.',
      }),
    ],
    checklist: checklist.map((text) => newStep(text)),
  };
}
