"""What benches/checks_planted puts into real documents, per language: things to fill in and what only looks like them,
a model's talk, sentences with two counts, tables that sum.

Written without a look at the word lists of the rules. Does not know documents.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from decimal import ROUND_HALF_UP, Decimal

from fabai.report import Language

FORMS: dict[Language, dict[str, list[str]]] = {
    "es": {
        "blanks": [
            "[falta: fecha de la resolución]", "[falta: número de asistentes]", "[nombre de la entidad]", "[importe]",
            "[fecha de inicio]", "[INSERTAR LOGO]", "[completar]", "[pendiente de confirmar]", "XXX", "XX/XX/XXXX",
            "XXXX euros", "{{importe_concedido}}", "{{ fecha de inicio }}", "{{persona_2}}", "TODO: revisar esta cifra",
            "TBD", "_______", "......................", "<nombre del proyecto>", "<insertar tabla aquí>",
            "Lorem ipsum dolor sit amet", "(por completar)", "???", "[describir la metodología]", "[indicar importe]",
            "[...]", "[XX]", "[título del proyecto]", "%NOMBRE_ENTIDAD%", "${importe}", "[cantidad] euros", "PENDIENTE",
            "[Escriba aquí]", "[Haga clic aquí para escribir]", "dd/mm/aaaa", "[añadir fuente]", "[nombre y apellidos]",
        ],
        "counted": ["talleres", "personas", "voluntarios", "reuniones", "empresas", "docentes", "becas", "equipos", "centros", "jornadas", "alumnas", "municipios", "contratos", "visitas", "familias", "publicaciones"],
        "frames": ["En total se contaron {a} y {b}.", "La entidad registró {a}, y además {b}, según las actas.", "Hubo {a} frente a {b} en el mismo periodo.", "El balance es de {a} y {b}.", "Constan {a} (y {b}) en el registro."],
        "adjectives": ["nuevos", "distintos", "grandes", "diversos", "otros"],
    },
    "ca": {
        "blanks": [
            "[falta: data de la resolució]", "[falta: nombre d'assistents]", "[nom de l'entitat]", "[import]",
            "[data d'inici]", "[INSERIR LOGOTIP]", "[completar]", "[pendent de confirmar]", "XXX", "XX/XX/XXXX",
            "XXXX euros", "{{import_concedit}}", "{{ data d'inici }}", "{{persona_2}}", "TODO: revisar aquesta xifra",
            "TBD", "_______", "......................", "<nom del projecte>", "<inserir taula aquí>",
            "Lorem ipsum dolor sit amet", "(per completar)", "???", "[descriure la metodologia]", "[indicar import]",
            "[...]", "[XX]", "[títol del projecte]", "%NOM_ENTITAT%", "${import}", "[quantitat] euros", "PENDENT",
            "[Escriviu aquí]", "[Feu clic aquí per escriure]", "dd/mm/aaaa", "[afegir font]", "[nom i cognoms]",
        ],
        "counted": ["tallers", "persones", "voluntaris", "reunions", "empreses", "docents", "beques", "equips", "centres", "jornades", "alumnes", "municipis", "contractes", "visites", "famílies", "publicacions"],
        "frames": ["En total es van comptar {a} i {b}.", "L'entitat va registrar {a}, i a més {b}, segons les actes.", "Hi va haver {a} davant de {b} en el mateix període.", "El balanç és de {a} i {b}.", "Consten {a} (i {b}) al registre."],
        "adjectives": ["nous", "diferents", "grans", "diversos", "altres"],
    },
    "en": {
        "blanks": [
            "[falta: date of the award]", "[falta: number of participants]", "[name of the organisation]", "[amount]",
            "[start date]", "[INSERT LOGO]", "[complete]", "[to be confirmed]", "XXX", "XX/XX/XXXX", "XXXX euros",
            "{{amount_granted}}", "{{ start date }}", "{{person_2}}", "TODO: check this figure", "TBD", "_______",
            "......................", "<name of the project>", "<insert table here>", "Lorem ipsum dolor sit amet",
            "(to be completed)", "???", "[describe the method]", "[specify amount]", "[...]", "[XX]",
            "[project title]", "%ORGANISATION_NAME%", "${amount}", "[amount] euros", "FIXME", "[Write here]",
            "[Click here to enter text]", "dd/mm/yyyy", "[add source]", "[your name]",
        ],
        "counted": ["workshops", "people", "volunteers", "meetings", "companies", "teachers", "grants", "teams", "centres", "trainings", "students", "municipalities", "contracts", "visits", "families", "publications"],
        "frames": ["In total {a} and {b} were counted.", "The organisation recorded {a}, and {b} besides, as the minutes show.", "There were {a} against {b} in the same period.", "The balance is {a} and {b}.", "The register shows {a} (and {b})."],
        "adjectives": ["new", "different", "large", "various", "other"],
    },
}  # fmt: skip
HARMLESS: dict[Language, list[str]] = {
    "es": ["[1]", "[2, 3]", "[sic]", "(véase el anexo)", "**negrita**", "*cursiva*", "[enlace](https://ejemplo.org/a_b)", "<https://ejemplo.org>", "3 %", "siglo XXI", "(pendiente estaba la firma)", "todo ello", "A/B", "(completo)", "¿cuándo?", "XXL", "10 x 20", "etc.", "[^1]"],
    "ca": ["[1]", "[2, 3]", "[sic]", "(vegeu l'annex)", "**negreta**", "*cursiva*", "[enllaç](https://exemple.org/a_b)", "<https://exemple.org>", "3 %", "segle XXI", "(pendent era la signatura)", "tot plegat", "A/B", "(complet)", "quan?", "XXL", "10 x 20", "etc.", "[^1]"],
    "en": ["[1]", "[2, 3]", "[sic]", "(see the annex)", "**bold**", "*italics*", "[link](https://example.net/a_b)", "<https://example.net>", "3 %", "the XXI century", "(the signature was pending)", "to do so", "A/B", "(complete)", "when?", "XXL", "10 x 20", "etc.", "[^1]"],
}  # fmt: skip
TALK: dict[Language, list[str]] = {
    "es": ["Claro, aquí tienes el texto de la sección:", "Por supuesto, aquí está la versión mejorada.", "Espero que te sirva de ayuda.", "Como modelo de lenguaje, no puedo verificar estos datos.", "¿Quieres que amplíe algún punto?", "Si necesitas más detalles, dímelo.", "He redactado la sección según tus indicaciones.", "Lo siento, pero no puedo ayudarte con eso.", "Aquí tienes un borrador:", "A continuación te presento la sección solicitada."],
    "ca": ["És clar, aquí tens el text de la secció:", "Per descomptat, aquí tens la versió millorada.", "Espero que et serveixi d'ajuda.", "Com a model de llenguatge, no puc verificar aquestes dades.", "Vols que ampliï algun punt?", "Si necessites més detalls, digues-m'ho.", "He redactat la secció segons les teves indicacions.", "Ho sento, però no puc ajudar-te amb això.", "Aquí tens un esborrany:", "A continuació et presento la secció sol·licitada."],
    "en": ["Sure, here is the text of the section:", "Certainly! Here is the improved version.", "I hope this helps.", "As a language model, I cannot verify these data.", "Would you like me to expand on any point?", "Let me know if you need more details.", "I have written the section as you asked.", "I'm sorry, but I can't help with that.", "Here's a draft:", "Here is the revised section you requested."],
}  # fmt: skip
NEUTRAL: dict[Language, frozenset[str]] = {
    "es": frozenset(["años", "meses", "días", "semanas", "horas", "minutos", "segundos", "metros", "páginas", "veces", "puntos", "grados", "euros", "dólares", "últimas", "últimos", "primeras", "primeros", "kilómetros", "bits", "bytes", "millas", "centímetros", "milímetros", "megas", "gigas", "anos", "otras", "otros", "partes"]),
    "ca": frozenset(["anys", "mesos", "dies", "setmanes", "hores", "minuts", "segons", "metres", "pàgines", "vegades", "punts", "graus", "euros", "dòlars", "últimes", "últims", "primeres", "primers", "quilòmetres", "bits", "bytes", "altres", "parts", "mensuals", "quotes"]),
    "en": frozenset(["years", "months", "days", "weeks", "hours", "minutes", "seconds", "metres", "pages", "times", "points", "degrees", "euros", "dollars", "last", "first", "kilometres", "bits", "bytes", "miles", "others", "parts", "others", "pounds", "cents"]),
}  # fmt: skip
"""What any number counts: two durations that changed places look like two durations."""

_HEADS: dict[Language, dict[str, list[str]]] = {
    "es": {"what": ["Partida", "Concepto", "Gasto", "Actuación"], "total": ["Total", "TOTAL", "**Total**", "Total general", "Suma", "Subtotal"], "granted": ["Concedido", "Importe concedido", "Presupuesto", "Presupuesto aprobado"], "spent": ["Ejecutado", "Importe ejecutado", "Justificado", "Gasto real"], "deviation": ["Desviación", "Diferencia", "Remanente"], "done": ["% ejecución", "% ejecutado", "Grado de ejecución"], "share": ["%", "% del total", "Porcentaje"], "amount": ["Importe", "Importe (€)", "Coste", "2023", "Euros"], "sum": ["Total"], "parts": ["Ayuntamiento", "Entidad", "Otros", "1.er semestre", "2.º semestre"]},
    "ca": {"what": ["Partida", "Concepte", "Despesa", "Actuació"], "total": ["Total", "TOTAL", "**Total**", "Total general", "Suma", "Subtotal"], "granted": ["Concedit", "Import concedit", "Pressupost", "Pressupost aprovat"], "spent": ["Executat", "Import executat", "Justificat", "Despesa real"], "deviation": ["Desviació", "Diferència", "Romanent"], "done": ["% execució", "% executat", "Grau d'execució"], "share": ["%", "% del total", "Percentatge"], "amount": ["Import", "Import (€)", "Cost", "2023", "Euros"], "sum": ["Total"], "parts": ["Ajuntament", "Entitat", "Altres", "1r semestre", "2n semestre"]},
    "en": {"what": ["Item", "Heading", "Expense", "Activity"], "total": ["Total", "TOTAL", "**Total**", "Grand total", "Sum", "Subtotal"], "granted": ["Granted", "Amount granted", "Budget", "Approved budget"], "spent": ["Spent", "Amount spent", "Actual", "Claimed"], "deviation": ["Deviation", "Difference", "Variance"], "done": ["% spent", "Execution rate", "% of budget"], "share": ["%", "% of total", "Percentage"], "amount": ["Amount", "Amount (€)", "Cost", "2023", "Euros"], "sum": ["Total"], "parts": ["Council", "Organisation", "Others", "First half", "Second half"]},
}  # fmt: skip

Made = tuple[list[str], list[list[str]], list[tuple[int, int]]]


def TABLE(language: Language, rng: random.Random, words: Sequence[str]) -> Made:
    """A table that sums: its head, its rows, and the cells that follow from others. words: for its labels."""
    heads = {name: rng.choice(many) for name, many in _HEADS[language].items() if name != "parts"}
    labels = [word.capitalize() for word in rng.sample(list(words), rng.randrange(3, min(9, len(words))))]
    write = _writer(language, rng)
    kind = rng.choice(("column", "deviation", "share", "row"))
    if kind == "column":
        columns = rng.randrange(1, 3)
        names = [heads["amount"], heads["spent"]][:columns]
        numbers = [[_money(rng) for _ in range(columns)] for _ in labels]
        sums = [sum((row[at] for row in numbers), Decimal(0)) for at in range(columns)]
        rows = [[label, *map(write, row)] for label, row in zip(labels, numbers, strict=True)]
        rows.append([heads["total"], *map(write, sums)])
        return [heads["what"], *names], rows, [(len(labels), at + 1) for at in range(columns)]
    if kind == "deviation":
        granted = [_money(rng) for _ in labels]
        spent = [(one * Decimal(rng.randrange(80, 104)) / 100).quantize(Decimal("0.01")) for one in granted]
        rows = []
        for label, one, other in zip(labels, granted, spent, strict=True):
            rows.append([label, write(one), write(other), write(other - one), _percent(other / one * 100, language)])
        one, other = sum(granted, Decimal(0)), sum(spent, Decimal(0))
        rows.append(
            [heads["total"], write(one), write(other), write(other - one), _percent(other / one * 100, language)]
        )
        results = [(at, column) for at in range(len(rows)) for column in (3, 4) if rows[at][column].strip("-0,.€ %")]
        results += [(len(labels), 1), (len(labels), 2)]
        return [heads["what"], heads["granted"], heads["spent"], heads["deviation"], heads["done"]], rows, results
    if kind == "share":
        numbers_ = [_money(rng) for _ in labels]
        total = sum(numbers_, Decimal(0))
        rows = [
            [label, write(one), _percent(one / total * 100, language)]
            for label, one in zip(labels, numbers_, strict=True)
        ]
        rows.append([heads["total"], write(total), _percent(Decimal(100), language)])
        return [heads["what"], heads["amount"], heads["share"]], rows, [(at, 2) for at in range(len(labels))]
    parts = rng.sample(_HEADS[language]["parts"], 2)
    pairs = [[_money(rng), _money(rng)] for _ in labels]
    rows = [
        [label, write(one), write(other), write(one + other)] for label, (one, other) in zip(labels, pairs, strict=True)
    ]
    return [heads["what"], *parts, heads["sum"]], rows, [(at, 3) for at in range(len(labels))]


def _money(rng: random.Random) -> Decimal:
    return (
        Decimal(rng.randrange(10_000, 3_000_000)) / 100 if rng.random() < 0.7 else Decimal(rng.randrange(100, 30_000))
    )


def _writer(language: Language, rng: random.Random) -> Callable[[Decimal], str]:
    places = rng.choice((2, 2, 2, 0))
    sign = rng.choice(("", "", " €", "€" if language == "en" else " €"))
    group = rng.choice(("," if language == "en" else ".", "," if language == "en" else ".", "\u00a0", ""))

    def write(number: Decimal) -> str:
        # without cents the parts are whole too, so that the sums still hold
        body = f"{number:,.2f}"
        body = body.replace(",", "\0").replace(".", "." if language == "en" else ",").replace("\0", group)
        if places == 0 and body.endswith(("00",)):
            body = body[:-3]
        return f"{body}{sign}"

    return write


def _percent(number: Decimal, language: Language) -> str:
    body = str(number.quantize(Decimal("0.1"), ROUND_HALF_UP))
    return f"{body if language == 'en' else body.replace('.', ',')} %"
