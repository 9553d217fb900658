// Shows times in the time zone of the browser.

const { language } = JSON.parse(document.getElementById('page-data').textContent)

for (const element of document.querySelectorAll('time')) {
  const time = new Date(element.dateTime)
  if (!Number.isNaN(time.getTime())) {
    element.textContent = time.toLocaleString(language, { dateStyle: 'medium', timeStyle: 'medium' })
  }
}
