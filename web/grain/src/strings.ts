// What the page says while it is used; the fixed texts stand in index.html.
import type { Find, Lang, Problem, Range, RangeFrom, Unit } from "./model";

/** Keeps a number and its unit on one line. */
const NB = "\u00a0";

export interface Strings {
  decimal: string;
  heading(find: Find): string;
  caption(find: Find): string;
  titleTail(find: Find): string;
  sentence(find: Find, grain: string, ta: string, unit: Unit, ur: string, moisture: string): string;
  basis(find: Find, dry: string): string;
  nothing(missing: boolean): string;
  chooseGrain: string;
  spread(find: Find, sets: number, low: string, high: string): string;
  taProblem(problem: Problem, unit: Unit, pole: string): string;
  urProblem(problem: Problem): string;
  moistureProblem(problem: Problem): string;
  taOutOfRange(low: string, high: string, unit: Unit): string;
  urOutOfRange(low: string, high: string): string;
  likeFraction: string;
  nearPole(find: Find, pole: string, unit: Unit): string;
  unconfirmed: string;
  unconfirmedShort: string;
  traced: string;
  curve: string;
  agrees: string;
  distance(mean: string, points: number): string;
  range: string;
  rangeOf(range: Range, from: RangeFrom): string;
  source: string;
  equation: string;
  constants: string;
  symbols: string;
  sensitivity: string;
  perHumidity(size: number, change: string): string;
  perMoisture(change: string): string;
  perDegree(find: Find, size: number, change: string, unit: Unit): string;
  humidityAxis: string;
  humidityUnit: string;
  moistureAxis: string;
  chartLabel(grain: string, ta: string, unit: Unit, low: string, high: string): string;
  chartPoint(ur: string, moisture: string): string;
  compareTitle(find: Find, count: number): string;
  compareUnits(find: Find, ta: string, unit: Unit, given: string): string;
  tableCaption(grain: string): string;
  temperatureHead(unit: Unit): string;
  copied: string;
  copyFailed: string;
  offline: string;
  /** Why a tool has no result, by the status of the answer; 0: there was none. */
  toolFailed: (status: number) => string;
}

const en: Strings = {
  decimal: ".",
  heading: (find) => (find === "ur" ? "Which air keeps the grain as it is?" : "At what moisture will the grain settle?"),
  caption: (find) => (find === "ur" ? "Equilibrium humidity of the air" : "Equilibrium moisture"),
  titleTail: (find) => (find === "ur" ? "equilibrium humidity of the air" : "equilibrium moisture of grain"),
  sentence: (find, grain, ta, unit, ur, moisture) =>
    find === "ur"
      ? `${grain} with ${moisture}${NB}% moisture stays as it is in air of ${ta}${NB}°${unit} and ${ur}${NB}% humidity. Drier air dries it, moister air wets it.`
      : `${grain} in air of ${ta}${NB}°${unit} and ${ur}${NB}% humidity settles at ${moisture}${NB}% moisture. Moister grain dries in this air, drier grain takes up water.`,
  basis: (find, dry) => (find === "ur" ? `relative humidity · the grain has ${dry} % dry basis` : `wet basis · ${dry} % dry basis`),
  nothing: (missing) => (missing ? "Fill in the marked field to see the result." : "Correct the marked field to see the result."),
  chooseGrain: "Choose a grain to see the result.",
  spread: (find, sets, low, high) =>
    sets < 2
      ? "There is no other trustworthy set of constants to compare with."
      : `Expect ${low} to ${high}${NB}%.${find === "ur" ? ` The cautious value is the highest: ${high}${NB}%.` : ""}`,
  taProblem: (problem, unit, pole) =>
    problem === "missing"
      ? "Enter the air temperature."
      : problem === "number"
        ? "Enter a number, such as 25.5 or 25,5."
        : problem === "pole"
          ? `These constants hold only above ${pole} °${unit}.`
          : unit === "F"
            ? "The temperature must lie between -22 and 176 °F."
            : "The temperature must lie between -30 and 80 °C.",
  urProblem: (problem) =>
    problem === "missing"
      ? "Enter the relative humidity."
      : problem === "number"
        ? "Enter a number, such as 70.5 or 70,5."
        : problem === "none"
          ? "The equation has no answer for this humidity at this temperature."
          : "The humidity must be above 0 and below 100 %.",
  moistureProblem: (problem) =>
    problem === "missing"
      ? "Enter the moisture of the grain."
      : problem === "number"
        ? "Enter a number, such as 14.5 or 14,5."
        : problem === "none"
          ? "No humidity between 0 and 100 % is in equilibrium with this moisture at this temperature."
          : "The moisture must be above 0 and below 100 %.",
  taOutOfRange: (low, high, unit) => `The temperature is outside ${low} to ${high} °${unit}, where the constants hold.`,
  urOutOfRange: (low, high) => `The humidity is outside ${low} to ${high} %, where the constants hold.`,
  likeFraction: "The humidity is a percentage: for seventy percent write 70, not 0.7.",
  nearPole: (find, pole, unit) =>
    `The temperature is near the pole of the equation (${pole} °${unit}); the ${find === "ur" ? "humidity tends to be too low" : "moisture tends to be too high"} there.`,
  unconfirmed: "These constants are recalled from the standard and not confirmed.",
  unconfirmedShort: "unconfirmed",
  traced: "Constants traced",
  curve: "Curve",
  agrees: "Agrees with published tables",
  distance: (mean, points) => ` (mean distance ${mean}, ${points} published figures)`,
  range: "Range",
  rangeOf: (range, from) =>
    `${range.ta.min} to ${range.ta.max} °C, ${range.ur.min} to ${range.ur.max} % (${from === "measured" ? "where measured grain supports it" : from === "source" ? "given by its source" : "its source gives none"})`,
  source: "Source",
  equation: "Equation",
  constants: "Constants",
  symbols: "M moisture, % dry basis; T temperature, °C; r relative humidity, 0 to 1",
  sensitivity: "Around this point",
  perHumidity: (_size, change) => `${change} points for 1 % more humidity`,
  perMoisture: (change) => `${change} % humidity for 1 point more moisture`,
  perDegree: (find, _size, change, unit) => `${change} ${find === "ur" ? "% humidity" : "points"} for 1 °${unit} more`,
  humidityAxis: "relative humidity, %",
  humidityUnit: "% RH",
  moistureAxis: "moisture, % wet basis",
  chartLabel: (grain, ta, unit, low, high) =>
    `Moisture of ${grain} over relative humidity at ${ta} °${unit}: from ${low} % at 10 % humidity to ${high} % at 95 %.`,
  chartPoint: (ur, moisture) => `Your point: ${ur} % humidity, ${moisture} % moisture.`,
  compareTitle: (find, count) => (find === "ur" ? `All ${count} grains with this moisture` : `All ${count} grains in this air`),
  compareUnits: (find, ta, unit, given) =>
    find === "ur"
      ? `Relative humidity in equilibrium with ${given}${NB}% moisture at ${ta}${NB}°${unit}`
      : `Equilibrium moisture in % wet basis at ${ta}${NB}°${unit} and ${given}${NB}% humidity`,
  tableCaption: (grain) => `${grain}: moisture in % wet basis; columns are relative humidity in %`,
  temperatureHead: (unit) => `°${unit}`,
  copied: "Link copied.",
  copyFailed: "The link could not be copied; it stands in the address bar.",
  offline: "The list of constants could not be loaded; the button Calculate still works.",
  toolFailed: (status) =>
    status === 401 ? "This service computes files only with an API key." : status === 413 ? "The file is too large for this service." : "The service did not answer. Try again.",
};

/** In Portuguese a quantity below two is singular: 0,3 ponto, 2 pontos. */
const pontos = (size: number): string => (Math.abs(size) < 2 ? "ponto percentual" : "pontos percentuais");

const pt: Strings = {
  decimal: ",",
  heading: (find) => (find === "ur" ? "Que ar mantém o grão como está?" : "Em que teor de água o grão vai se estabilizar?"),
  caption: (find) => (find === "ur" ? "Umidade relativa de equilíbrio" : "Teor de água de equilíbrio"),
  titleTail: (find) => (find === "ur" ? "umidade relativa de equilíbrio" : "teor de água de equilíbrio de grãos"),
  sentence: (find, grain, ta, unit, ur, moisture) =>
    find === "ur"
      ? `${grain} com ${moisture}${NB}% de teor de água fica como está em ar a ${ta}${NB}°${unit} e ${ur}${NB}% de umidade relativa. Ar mais seco seca o grão, ar mais úmido o umedece.`
      : `${grain} em ar a ${ta}${NB}°${unit} e ${ur}${NB}% de umidade relativa se estabiliza em ${moisture}${NB}% de teor de água. Grão mais úmido seca nesse ar, grão mais seco absorve água.`,
  basis: (find, dry) => (find === "ur" ? `umidade relativa · o grão tem ${dry} % base seca` : `base úmida · ${dry} % base seca`),
  nothing: (missing) => (missing ? "Preencha o campo marcado para ver o resultado." : "Corrija o campo marcado para ver o resultado."),
  chooseGrain: "Escolha uma cultura para ver o resultado.",
  spread: (find, sets, low, high) =>
    sets < 2
      ? "Não há outro conjunto de constantes confiável para comparar."
      : `Espere de ${low} a ${high}${NB}%.${find === "ur" ? ` O valor prudente é o mais alto: ${high}${NB}%.` : ""}`,
  taProblem: (problem, unit, pole) =>
    problem === "missing"
      ? "Informe a temperatura do ar."
      : problem === "number"
        ? "Informe um número, como 25,5 ou 25.5."
        : problem === "pole"
          ? `Estas constantes só valem acima de ${pole} °${unit}.`
          : unit === "F"
            ? "A temperatura deve ficar entre -22 e 176 °F."
            : "A temperatura deve ficar entre -30 e 80 °C.",
  urProblem: (problem) =>
    problem === "missing"
      ? "Informe a umidade relativa."
      : problem === "number"
        ? "Informe um número, como 70,5 ou 70.5."
        : problem === "none"
          ? "A equação não tem resposta para esta umidade relativa nesta temperatura."
          : "A umidade relativa deve ser maior que 0 e menor que 100 %.",
  moistureProblem: (problem) =>
    problem === "missing"
      ? "Informe o teor de água do grão."
      : problem === "number"
        ? "Informe um número, como 14,5 ou 14.5."
        : problem === "none"
          ? "Nenhuma umidade relativa entre 0 e 100 % está em equilíbrio com este teor de água nesta temperatura."
          : "O teor de água do grão deve ser maior que 0 e menor que 100 %.",
  taOutOfRange: (low, high, unit) => `A temperatura está fora de ${low} a ${high} °${unit}, onde as constantes valem.`,
  urOutOfRange: (low, high) => `A umidade relativa está fora de ${low} a ${high} %, onde as constantes valem.`,
  likeFraction: "A umidade relativa é uma porcentagem: para setenta por cento escreva 70, não 0,7.",
  nearPole: (find, pole, unit) =>
    `A temperatura está perto do polo da equação (${pole} °${unit}); ${find === "ur" ? "a umidade relativa tende a ser baixa" : "o teor de água tende a ser alto"} demais aí.`,
  unconfirmed: "Estas constantes são citadas de memória da norma e não foram confirmadas.",
  unconfirmedShort: "não confirmado",
  traced: "Rastreabilidade das constantes",
  curve: "Curva",
  agrees: "Concorda com tabelas publicadas",
  distance: (mean, points) => ` (distância média ${mean}, ${points} valores publicados)`,
  range: "Faixa de validade",
  rangeOf: (range, from) =>
    `${range.ta.min} a ${range.ta.max} °C, ${range.ur.min} a ${range.ur.max} % (${from === "measured" ? "onde grão medido o confirma" : from === "source" ? "dada pela fonte" : "a fonte não indica"})`.replaceAll(".", ","),
  source: "Fonte",
  equation: "Equação",
  constants: "Constantes",
  symbols: "M teor de água, % base seca; T temperatura, °C; r umidade relativa, 0 a 1",
  sensitivity: "Em torno deste ponto",
  perHumidity: (size, change) => `${change} ${pontos(size)} para cada 1 % a mais de umidade relativa`,
  perMoisture: (change) => `${change} % de umidade relativa para cada ponto percentual a mais de teor de água`,
  perDegree: (find, size, change, unit) => `${change} ${find === "ur" ? "% de umidade relativa" : pontos(size)} para cada 1 °${unit} a mais`,
  humidityAxis: "umidade relativa, %",
  humidityUnit: "% UR",
  moistureAxis: "teor de água do grão, % base úmida",
  chartLabel: (grain, ta, unit, low, high) =>
    `Teor de água de ${grain} conforme a umidade relativa a ${ta} °${unit}: de ${low} % com 10 % até ${high} % com 95 %.`,
  chartPoint: (ur, moisture) => `Seu ponto: ${ur} % de umidade relativa, ${moisture} % de teor de água.`,
  compareTitle: (find, count) => (find === "ur" ? `As ${count} culturas com este teor de água` : `As ${count} culturas neste ar`),
  compareUnits: (find, ta, unit, given) =>
    find === "ur"
      ? `Umidade relativa em equilíbrio com ${given}${NB}% de teor de água a ${ta}${NB}°${unit}`
      : `Teor de água de equilíbrio em % base úmida a ${ta}${NB}°${unit} e ${given}${NB}% de umidade relativa`,
  tableCaption: (grain) => `${grain}: teor de água do grão em % base úmida; as colunas são a umidade relativa em %`,
  temperatureHead: (unit) => `°${unit}`,
  copied: "Endereço copiado.",
  copyFailed: "Não foi possível copiar; o endereço está na barra do navegador.",
  offline: "A lista de constantes não pôde ser carregada; o botão Calcular continua funcionando.",
  toolFailed: (status) =>
    status === 401 ? "Este serviço só calcula arquivos com uma chave de API." : status === 413 ? "O arquivo é grande demais para este serviço." : "O serviço não respondeu. Tente de novo.",
};

const es: Strings = {
  decimal: ",",
  heading: (find) => (find === "ur" ? "¿Qué aire mantiene el grano como está?" : "¿En qué humedad se estabilizará el grano?"),
  caption: (find) => (find === "ur" ? "Humedad relativa de equilibrio" : "Humedad de equilibrio"),
  titleTail: (find) => (find === "ur" ? "humedad relativa de equilibrio" : "humedad de equilibrio de granos"),
  sentence: (find, grain, ta, unit, ur, moisture) =>
    find === "ur"
      ? `${grain} con ${moisture}${NB}% de humedad se mantiene como está en aire a ${ta}${NB}°${unit} y ${ur}${NB}% de humedad relativa. Un aire más seco lo seca, uno más húmedo lo humedece.`
      : `${grain} en aire a ${ta}${NB}°${unit} y ${ur}${NB}% de humedad relativa se estabiliza en ${moisture}${NB}% de humedad. El grano más húmedo se seca en ese aire, el más seco absorbe agua.`,
  basis: (find, dry) => (find === "ur" ? `humedad relativa · el grano tiene ${dry} % base seca` : `base húmeda · ${dry} % base seca`),
  nothing: (missing) => (missing ? "Complete el campo marcado para ver el resultado." : "Corrija el campo marcado para ver el resultado."),
  chooseGrain: "Elija un cultivo para ver el resultado.",
  spread: (find, sets, low, high) =>
    sets < 2
      ? "No hay otro conjunto de constantes confiable para comparar."
      : `Espere de ${low} a ${high}${NB}%.${find === "ur" ? ` El valor prudente es el más alto: ${high}${NB}%.` : ""}`,
  taProblem: (problem, unit, pole) =>
    problem === "missing"
      ? "Indique la temperatura del aire."
      : problem === "number"
        ? "Indique un número, como 25,5 o 25.5."
        : problem === "pole"
          ? `Estas constantes solo valen por encima de ${pole} °${unit}.`
          : unit === "F"
            ? "La temperatura debe estar entre -22 y 176 °F."
            : "La temperatura debe estar entre -30 y 80 °C.",
  urProblem: (problem) =>
    problem === "missing"
      ? "Indique la humedad relativa."
      : problem === "number"
        ? "Indique un número, como 70,5 o 70.5."
        : problem === "none"
          ? "La ecuación no tiene respuesta para esta humedad relativa a esta temperatura."
          : "La humedad relativa debe ser mayor que 0 y menor que 100 %.",
  moistureProblem: (problem) =>
    problem === "missing"
      ? "Indique la humedad del grano."
      : problem === "number"
        ? "Indique un número, como 14,5 o 14.5."
        : problem === "none"
          ? "Ninguna humedad relativa entre 0 y 100 % está en equilibrio con esta humedad del grano a esta temperatura."
          : "La humedad del grano debe ser mayor que 0 y menor que 100 %.",
  taOutOfRange: (low, high, unit) => `La temperatura está fuera de ${low} a ${high} °${unit}, donde valen las constantes.`,
  urOutOfRange: (low, high) => `La humedad relativa está fuera de ${low} a ${high} %, donde valen las constantes.`,
  likeFraction: "La humedad relativa es un porcentaje: para setenta por ciento escriba 70, no 0,7.",
  nearPole: (find, pole, unit) =>
    `La temperatura está cerca del polo de la ecuación (${pole} °${unit}); la ${find === "ur" ? "humedad relativa tiende a ser demasiado baja" : "humedad tiende a ser demasiado alta"} allí.`,
  unconfirmed: "Estas constantes se citan de memoria de la norma y no fueron confirmadas.",
  unconfirmedShort: "sin confirmar",
  traced: "Trazabilidad de las constantes",
  curve: "Curva",
  agrees: "Concuerda con tablas publicadas",
  distance: (mean, points) => ` (distancia media ${mean}, ${points} valores publicados)`,
  range: "Rango de validez",
  rangeOf: (range, from) =>
    `${range.ta.min} a ${range.ta.max} °C, ${range.ur.min} a ${range.ur.max} % (${from === "measured" ? "donde el grano medido lo confirma" : from === "source" ? "dado por la fuente" : "la fuente no lo indica"})`.replaceAll(".", ","),
  source: "Fuente",
  equation: "Ecuación",
  constants: "Constantes",
  symbols: "M humedad del grano, % base seca; T temperatura, °C; r humedad relativa, 0 a 1",
  sensitivity: "Alrededor de este punto",
  perHumidity: (_size, change) => `${change} puntos por cada 1 % más de humedad relativa`,
  perMoisture: (change) => `${change} % de humedad relativa por cada punto más de humedad del grano`,
  perDegree: (find, _size, change, unit) => `${change} ${find === "ur" ? "% de humedad relativa" : "puntos"} por cada 1 °${unit} más`,
  humidityAxis: "humedad relativa, %",
  humidityUnit: "% HR",
  moistureAxis: "humedad del grano, % base húmeda",
  chartLabel: (grain, ta, unit, low, high) =>
    `Humedad de ${grain} según la humedad relativa a ${ta} °${unit}: de ${low} % con 10 % hasta ${high} % con 95 %.`,
  chartPoint: (ur, moisture) => `Su punto: ${ur} % de humedad relativa, ${moisture} % de humedad del grano.`,
  compareTitle: (find, count) => (find === "ur" ? `Los ${count} cultivos con esta humedad` : `Los ${count} cultivos en este aire`),
  compareUnits: (find, ta, unit, given) =>
    find === "ur"
      ? `Humedad relativa en equilibrio con ${given}${NB}% de humedad del grano a ${ta}${NB}°${unit}`
      : `Humedad de equilibrio en % base húmeda a ${ta}${NB}°${unit} y ${given}${NB}% de humedad relativa`,
  tableCaption: (grain) => `${grain}: humedad del grano en % base húmeda; las columnas son la humedad relativa en %`,
  temperatureHead: (unit) => `°${unit}`,
  copied: "Enlace copiado.",
  copyFailed: "No se pudo copiar; el enlace está en la barra de direcciones.",
  offline: "No se pudo cargar la lista de constantes; el botón Calcular sigue funcionando.",
  toolFailed: (status) =>
    status === 401 ? "Este servicio solo calcula archivos con una clave de API." : status === 413 ? "El archivo es demasiado grande para este servicio." : "El servicio no respondió. Intente de nuevo.",
};

const all: Record<Lang, Strings> = { en, pt, es };

export function strings(lang: Lang): Strings {
  return all[lang];
}
